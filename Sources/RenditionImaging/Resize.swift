import CVips
import RenditionModel

extension Raster {
    /// Brings the picture to exactly `target` pixels.
    consuming func resized(to target: PixelSize) throws(StepFailure) -> Raster {
        let source = size
        guard source != target else { return self }
        let horizontal = Double(target.width) / Double(source.width)
        let vertical = Double(target.height) / Double(source.height)
        let result = try applying("resize") { cvips_resize($0, horizontal, vertical, $1) }
        guard result.size == target else {
            throw StepFailure("resize", hint: "\(result.size) came out where \(target) was asked for")
        }
        return result
    }
}
