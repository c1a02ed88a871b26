import Glibc

extension Configuration {
    /// One channel for a folder of pictures, named after it; nothing else needs configuring.
    ///
    /// The cache is `$XDG_CACHE_HOME/rcache/NAME-DIGEST`, or the same below `~/.cache`, where the digest is of the folder's
    /// real path: the same folder finds its cache again, however it is spelled.
    ///
    /// - Parameters:
    ///   - path: the folder; relative paths are relative to the working directory.
    ///   - environment: where `XDG_CACHE_HOME` and `HOME` are looked up.
    public static func folder(
        _ path: String,
        environment: @Sendable (String) -> String? = processEnvironment
    ) -> Configuration {
        let absolute = realPath(absolutePath(path, in: workingDirectory()))
        let name = channelName(ofFolder: absolute)
        let digest = Digest(of: absolute.utf8).description.prefix(8)
        var configuration = Configuration()
        configuration.channels = [ChannelSettings(name: name, kind: .folder(path: absolute))]
        configuration.cache.directory = "\(cacheHome(environment))/rcache/\(name)-\(digest)"
        return configuration
    }

    /// The last part of a path as a channel's name: other characters become `-`.
    package static func channelName(ofFolder path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        let plain = String(
            last.prefix(64).map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" }
        )
        let name = String(plain.drop { $0 == "." })
        return name.allSatisfy { "-.".contains($0) } ? "folder" : name
    }

    /// Without symbolic links, if it exists.
    private static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// By the XDG base directory specification, which has relative paths ignored.
    private static func cacheHome(_ environment: (String) -> String?) -> String {
        if let home = environment("XDG_CACHE_HOME"), home.hasPrefix("/") { return absolutePath(home, in: "/") }
        if let home = environment("HOME"), home.hasPrefix("/") { return absolutePath(home, in: "/") + "/.cache" }
        return absolutePath(".cache", in: workingDirectory())
    }
}
