/// The identifiers under which a folder's files appear on a CMS's surface.
public enum PublishedID {
    /// An OCM identifier: `CONT` and 32 upper-case hexadecimal digits.
    ///
    /// - Parameters:
    ///   - channel: the channel's name in the configuration.
    ///   - path: the file's path below its folder.
    public static func ocm(channel: String, path: String) -> String {
        "CONT" + digest(channel: channel, path: path).description.prefix(32).uppercased()
    }

    /// Each part has its length in front, so that no two pairs run together.
    static func digest(channel: String, path: String) -> Digest {
        Digest(
            of: [channel, path].flatMap { part in
                (0..<8).map { UInt8(truncatingIfNeeded: part.utf8.count >> (56 - 8 * $0)) } + Array(part.utf8)
            }
        )
    }
}
