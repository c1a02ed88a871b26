/// The assets of one scan of a folder, with every name they answer to.
struct FolderCatalogue: Sendable {
    /// The pictures, in path order.
    let assets: [Asset]
    /// Files that are no pictures: path and reason.
    let skipped: [SkippedFile]
    private let indexByName: [ExactText: Int]
    private let indexBySlug: [ExactText: Int]

    /// Names the files of a scan.
    ///
    /// The id is the relative path without extension; where several share a stem, jpg before png before webp before the
    /// rest keeps the bare one and the others take their full path, which always works.
    init(_ found: [FolderScan.Found], channel: String) {
        let pictures = found.filter { $0.format != nil }
        skipped = found.filter { $0.format == nil }.map { SkippedFile(name: $0.path, reason: Self.reason($0)) }
        let ids = Self.ids(of: pictures.map(\.path))
        var names: [ExactText: Int] = [:]
        var slugs: [ExactText: Int] = [:]
        var assets: [Asset] = []
        for (index, picture) in pictures.enumerated() {
            let published = PublishedID.ocm(channel: channel, path: picture.path)
            var slug = Self.slug(ids[index])
            if slugs[ExactText(slug)] != nil { slug += "-" + published.suffix(8).lowercased() }
            slugs[ExactText(slug)] = index
            for name in [published, ids[index], picture.path] { names[ExactText(name)] = index }
            assets.append(Self.asset(picture, id: ids[index], slug: slug))
        }
        self.assets = assets
        indexByName = names
        indexBySlug = slugs
    }

    /// The asset that a reference means.
    subscript(reference: AssetReference) -> Asset? {
        switch reference {
        case .id(let id): indexByName[ExactText(id)].map { assets[$0] }
        case .slug(let slug): indexBySlug[ExactText(slug)].map { assets[$0] }
        }
    }

    private static func asset(_ picture: FolderScan.Found, id: String, slug: String) -> Asset {
        Asset(
            id: id,
            slug: slug,
            name: String(picture.path.split(separator: "/").last ?? ""),
            fileGroup: "Images",
            mediaType: picture.format?.mediaType,
            updatedSeconds: picture.modifiedSeconds,
            byteCount: picture.byteCount,
            path: picture.path
        )
    }

    private static func reason(_ file: FolderScan.Found) -> String {
        file.obstacle ?? (file.byteCount == 0 ? "an empty file" : "not a picture by its content")
    }

    static func ids(of paths: [String]) -> [String] {
        let taken = Set(paths.map(ExactText.init))
        var best: [ExactText: (rank: Int, path: String)] = [:]
        for path in paths {
            let (stem, rank) = stemAndRank(path)
            if let other = best[ExactText(stem)], (other.rank, other.path) < (rank, path) { continue }
            best[ExactText(stem)] = (rank, path)
        }
        return paths.map { path in
            let stem = stemAndRank(path).stem
            let (name, best) = (ExactText(stem), best[ExactText(stem)]?.path)
            return best.map(ExactText.init) == ExactText(path) && !taken.contains(name) ? stem : path
        }
    }

    private static func stemAndRank(_ path: String) -> (stem: String, rank: Int) {
        guard let dot = path.lastIndex(of: "."), let name = path.split(separator: "/").last, dot > name.startIndex
        else {
            return (path, 3)
        }
        let rank =
            switch ImageFormat(name: path[path.index(after: dot)...]) {
            case .jpeg: 0
            case .png: 1
            case .webp: 2
            default: 3
            }
        return (String(path[..<dot]), rank)
    }

    private static func slug(_ id: String) -> String {
        var slug = ""
        for scalar in id.lowercased().unicodeScalars {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_" {
                slug.unicodeScalars.append(scalar)
            } else if !slug.isEmpty && !slug.hasSuffix("-") {
                slug += "-"
            }
        }
        while slug.hasSuffix("-") { slug.removeLast() }
        return slug.isEmpty ? "picture" : slug
    }
}
