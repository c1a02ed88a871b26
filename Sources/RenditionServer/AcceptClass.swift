import CHTTPServer
import Glibc
import RenditionCache

/// As much of a client's `Accept` as can change the format that it is given.
///
/// Two clients of one class get the same answer at every URL, because a format is chosen for the class and not for the
/// header, of which every browser has its own.
enum AcceptClass: CaseIterable, Hashable, Sendable {
    /// Names neither WebP nor AVIF.
    case neither
    /// Names WebP alone.
    case webp
    /// Names AVIF alone.
    case avif
    /// Names both, AVIF with at least the weight of WebP.
    case avifBeforeWebP
    /// Names both, WebP with more weight.
    case webpBeforeAVIF

    /// Longest `Accept` that is read, in bytes; browsers send about 100.
    static let maxFieldBytes = 1024

    /// The class of a client.
    init(_ accepted: AcceptedTypes) {
        switch (accepted.names(.webp), accepted.names(.avif)) {
        case (false, false): self = .neither
        case (true, false): self = .webp
        case (false, true): self = .avif
        case (true, true):
            self = accepted.weight(of: .avif) >= accepted.weight(of: .webp) ? .avifBeforeWebP : .webpBeforeAVIF
        }
    }

    /// The `Accept` of a connection's request; call on its own thread, while the request is answered.
    ///
    /// Only a negotiated answer has use for it, so it is not part of `RequestHead`, which every request pays for. Several
    /// fields are one list (RFC 9110 §5.3); what would pass `maxFieldBytes` is as good as absent.
    static func field(of connection: OpaquePointer) -> String {
        var list = ""
        withUnsafeMutablePointer(to: &list) { list in
            _ = MHD_get_connection_values_n(
                connection,
                .HEADER_KIND,
                { context, _, name, nameBytes, value, valueBytes in
                    guard let name, nameBytes == 6, strncasecmp(name, "Accept", 6) == 0, let value,
                        let list = context?.assumingMemoryBound(to: String.self),
                        list.pointee.utf8.count + valueBytes <= AcceptClass.maxFieldBytes
                    else { return .YES }
                    let text = String(decoding: UnsafeRawBufferPointer(start: value, count: valueBytes), as: UTF8.self)
                    list.pointee += list.pointee.isEmpty ? text : ", \(text)"
                    return .YES
                },
                list
            )
        }
        return list
    }

    /// What stands for every client of the class.
    var accepted: AcceptedTypes {
        switch self {
        case .neither: AcceptedTypes(nil)
        case .webp: AcceptedTypes("image/webp")
        case .avif: AcceptedTypes("image/avif")
        case .avifBeforeWebP: AcceptedTypes("image/avif, image/webp")
        case .webpBeforeAVIF: AcceptedTypes("image/webp, image/avif;q=0.5")
        }
    }
}
