import CVips
import RenditionModel

/// Finds the encoding that a plan leaves open: the format with the fewest bytes, or the lowest quality that is good enough.
struct EncodedChoice {
    /// Whether the profile and the rights that the picture still carries are written.
    let keepsMetadata: Bool

    /// The structural similarity that the lowest quality has to reach: what the default qualities reach on photographs.
    static let targetSimilarity = 0.97
    /// The qualities that are tried.
    private static let qualities = Array(stride(from: 30, through: 95, by: 5))

    /// The smallest of the encodings, and which it is; the first of several that are equally small.
    func smallest(
        of encodings: [Encoding],
        for picture: borrowing Raster
    ) throws(StepFailure) -> (bytes: Encoded, encoding: Encoding) {
        var best: (bytes: Encoded, encoding: Encoding)?
        for encoding in encodings {
            let next = try encoded(encoding, picture)
            if best.map({ next.picture.count < $0.bytes.picture.count }) ?? true { best = (next, encoding) }
        }
        guard let best else { throw StepFailure("encode", hint: "no format to encode") }
        return best
    }

    private func encoded(_ encoding: Encoding, _ picture: borrowing Raster) throws(StepFailure) -> Encoded {
        guard encoding.findsQuality else {
            return Encoded(try picture.encoded(encoding, keepsMetadata: keepsMetadata))
        }
        // The quality rises with the number, so half of what is left can be passed over each time.
        var (low, high) = (0, Self.qualities.count - 1)
        var found: Encoded?
        while low <= high {
            let middle = (low + high) / 2
            var attempt = encoding
            attempt.quality = Self.qualities[middle]
            let bytes = Encoded(try picture.encoded(attempt, keepsMetadata: keepsMetadata))
            if try similarity(of: bytes, as: encoding.format, to: picture) >= Self.targetSimilarity {
                found = bytes
                high = middle - 1
            } else {
                low = middle + 1
            }
        }
        if let found { return found }
        var last = encoding
        last.quality = Self.qualities.last
        return Encoded(try picture.encoded(last, keepsMetadata: keepsMetadata))
    }

    private func similarity(
        of encoded: Encoded,
        as format: ImageFormat,
        to picture: borrowing Raster
    ) throws(StepFailure) -> Double {
        let options: [LoadOption] = format.canBeAnimated ? [.allPages] : []
        var similarity = 0.0
        let code: Int32 = encoded.picture.withUnsafeBytes { bytes in
            guard let decoded = try? Raster(loading: bytes, loader: format.loader, options: options) else { return -1 }
            return decoded.borrowing { other in picture.borrowing { cvips_similarity($0, other, &similarity) } }
        }
        guard code == 0 else { throw StepFailure("compare") }
        return similarity
    }
}

/// Encoded bytes that several variables may hold.
final class Encoded {
    let picture: EncodedPicture

    init(_ picture: consuming EncodedPicture) { self.picture = picture }
}
