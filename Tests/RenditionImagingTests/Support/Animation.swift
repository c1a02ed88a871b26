import RenditionModel

@testable import RenditionImaging

/// The frames of an encoded animation, for comparing.
struct Animation {
    let frames: [Pixels]
    let timing: Timing

    init(_ bytes: [UInt8]) throws {
        _ = try Renderer()
        (frames, timing) = try bytes.withUnsafeBytes { buffer in
            guard let format = ImageFormat(signature: buffer) else { throw RenderRefusal.notAnImage }
            let options: [LoadOption] = format.canBeAnimated ? [.allPages] : []
            let strip = try Raster(loading: buffer, loader: format.loader, options: options)
            let count = format.canBeAnimated ? strip.metadata("n-pages") ?? 1 : 1
            let size = PixelSize(width: strip.size.width, height: strip.size.height / count)
            let (bands, samples) = (strip.bands, strip.pixels())
            let length = size.width * size.height * bands
            let frames = (0..<count).map { index in
                Pixels(size: size, bands: bands, samples: Array(samples[(index * length)..<((index + 1) * length)]))
            }
            return (frames, strip.timing(frames: count))
        }
    }
}
