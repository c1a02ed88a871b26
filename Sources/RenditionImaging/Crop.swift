import CVips
import RenditionModel

extension Raster {
    /// The part of what a decoder gave, perhaps already smaller, that a plan uses.
    consuming func extracted(by plan: RenderPlan) throws(StepFailure) -> Raster {
        let part = plan.region(in: size)
        return try cropped(to: part)
    }

    /// Cuts out a part.
    consuming func cropped(to rect: PixelRect) throws(StepFailure) -> Raster {
        guard rect != PixelRect(size) else { return self }
        return try applying("crop") {
            cvips_crop($0, Int32(rect.x), Int32(rect.y), Int32(rect.size.width), Int32(rect.size.height), $1)
        }
    }

    /// Cuts out the part of that size which matters most.
    consuming func cropped(to size: PixelSize, of interest: RenderStep.Interest) throws(StepFailure) -> Raster {
        let wanted = interest == .entropy ? CVIPS_ENTROPY : CVIPS_ATTENTION
        return try applying("crop") { image, out in
            cvips_smart_crop(image, Int32(size.width), Int32(size.height), Int32(wanted), out)
        }
    }

    /// What is left of 8-bit pixels in memory without a border of the corner's colour; nil where nothing would be.
    func trimmed(tolerance: Int) throws(StepFailure) -> PixelRect? {
        var (left, top, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let code = borrowing { cvips_find_trim($0, Double(tolerance), &left, &top, &width, &height) }
        guard code == 0 else { throw StepFailure("trim") }
        guard width > 0, height > 0 else { return nil }
        return PixelRect(x: Int(left), y: Int(top), size: PixelSize(width: Int(width), height: Int(height)))
    }
}
