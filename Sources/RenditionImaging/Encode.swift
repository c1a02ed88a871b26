import CVips
import RenditionModel

/// Owns the encoded bytes of one picture, in the memory that libvips wrote them to.
struct EncodedPicture: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    /// How many bytes there are.
    let count: Int

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

/// The effort of each encoder, chosen by bytes and processor time at equal similarity (`docs/decisions/0014-encoders.md`).
private enum Effort {
    static let webp: Int32 = 4
    static let avif: Int32 = 3
    static let jxl: Int32 = 5
    static let gif: Int32 = 4
    static let png: Int32 = 6
    static let palette: Int32 = 4
}

extension Raster {
    /// Encodes finished 8-bit pixels one way, with nothing of the metadata but what the picture still carries.
    ///
    /// - Parameter keepsMetadata: whether the profile and the rights that are still there are written.
    func encoded(_ encoding: Encoding, keepsMetadata: Bool) throws(StepFailure) -> EncodedPicture {
        var (memory, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        let quality = Int32(encoding.quality ?? encoding.format.defaultQuality ?? 100)
        let (keep, lossless): (Int32, Int32) = (keepsMetadata ? 1 : 0, encoding.isLossless ? 1 : 0)
        let code: Int32 = borrowing { image in
            switch encoding.format {
            case .jpeg:
                cvips_save_jpeg(image, quality, encoding.variant == .progressive ? 1 : 0, keep, &memory, &count)
            case .png where encoding.variant == .palette:
                cvips_save_png(image, 1, quality, Effort.palette, keep, &memory, &count)
            case .png: cvips_save_png(image, 0, quality, Effort.png, keep, &memory, &count)
            case .webp: cvips_save_webp(image, quality, lossless, Effort.webp, keep, &memory, &count)
            case .avif: cvips_save_avif(image, quality, lossless, Effort.avif, keep, &memory, &count)
            case .jxl: cvips_save_jxl(image, quality, lossless, Effort.jxl, keep, &memory, &count)
            case .gif: cvips_save_gif(image, 0.5, Effort.gif, keep, &memory, &count)
            case .heic, .tiff, .svg: -1
            }
        }
        guard code == 0, let memory else { throw StepFailure("encode") }
        if encoding.format == .webp && !keepsMetadata { count = WebPMetadata.remove(from: memory, count: count) }
        return EncodedPicture(owning: memory, count: count)
    }
}
