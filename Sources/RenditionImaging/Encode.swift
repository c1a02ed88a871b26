import CVips
import RenditionModel

/// Owns the encoded bytes of one picture, in the memory that libvips wrote them to.
struct EncodedPicture: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let count: Int

    fileprivate init(owning memory: UnsafeMutableRawPointer, count: Int) {
        self.memory = memory
        self.count = count
    }

    deinit { cvips_free(memory) }

    /// Lends the bytes for the duration of the call.
    func withUnsafeBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
        body(UnsafeRawBufferPointer(start: memory, count: count))
    }
}

extension Raster {
    /// Encodes 8-bit pixels without any metadata; `quality` is 1…100, nil for the format's default.
    consuming func encoded(as format: ImageFormat, quality: Int?) throws(StepFailure) -> EncodedPicture {
        let bare = try applying("encode", cvips_strip)
        var (memory, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        let quality = Int32(quality ?? format.defaultQuality ?? 0)
        let code: Int32 = bare.borrowing { image in
            switch format {
            case .jpeg: cvips_save_jpeg(image, quality, &memory, &count)
            case .png: cvips_save_png(image, &memory, &count)
            case .webp: cvips_save_webp(image, quality, &memory, &count)
            case .avif: cvips_save_avif(image, quality, avifEffort, &memory, &count)
            case .gif, .heic, .jxl, .tiff, .svg: -1
            }
        }
        guard code == 0, let memory else { throw StepFailure("encode") }
        if format == .webp { count = WebPMetadata.remove(from: memory, count: count) }
        return EncodedPicture(owning: memory, count: count)
    }
}

/// A third of the default effort's time for the same bytes and a tenth of a decibel.
private let avifEffort: Int32 = 3
