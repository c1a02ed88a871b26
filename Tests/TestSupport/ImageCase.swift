import Foundation
package import RenditionModel

/// One request for a picture with what has to come back, from the cases of a specification; printed as its identifier.
package struct ImageCase: Decodable, Sendable, CustomStringConvertible {
    /// The identifier in the file.
    package var id: String
    /// The target's path; nil where the file leaves it to the server.
    package var path: String?
    /// The query, without its `?`.
    package var params: String
    /// The `Accept` header; nil for none.
    package var accept: String?
    /// How to make the original; nil where there is none.
    package var source: Source?
    /// The name of a photograph that is the original instead.
    package var photo: String?
    /// What has to come back; only what is there is checked.
    package var expect: Expectation
    /// By how many pixels each side may differ.
    package var tolerancePx: Int?

    /// The identifier and the query.
    package var description: String { "\(id) ?\(params)" }

    /// An original that tests make.
    package struct Source: Decodable, Sendable {
        /// Stored pixels from left to right.
        package var width: Int
        /// Stored pixels from top to bottom.
        package var height: Int
        /// `jpg`, `jpeg`, `png`, `webp`, `gif` or `svg`.
        package var format: String
        /// The EXIF orientation, where it has one.
        package var orientation: Int?
        /// Whether its left half is transparent.
        package var alpha: Bool?
        /// The number of frames; nil for one.
        package var frames: Int?
        /// `quadrants` where four solid quarters are asked for.
        package var pattern: String?
        /// Regions in parts of the sides, by name.
        package var smartcrops: [String: Region]?
    }

    /// A region in parts of the sides.
    package struct Region: Decodable, Sendable {
        package var left: Double
        package var top: Double
        package var normalizedWidth: Double
        package var normalizedHeight: Double
    }

    /// What has to come back.
    package struct Expectation: Decodable, Sendable {
        package var status: Int
        package var width: Int?
        package var height: Int?
        package var format: String?
        package var formatOneOf: [String]?
        package var frames: Int?
        package var alpha: Bool?
        package var progressive: Bool?
        package var lossless: Bool?
        package var palette: Bool?
        package var passthrough: Bool?
        package var identicalBytes: Bool?
        /// Colour names by corner: `tl`, `tr`, `br`, `bl`.
        package var corners: [String: String]?
        package var pixels: [Pixel]?
        package var contentType: String?
    }

    /// A colour at a place, each channel within a tolerance.
    package struct Pixel: Decodable, Sendable {
        package var x: Int
        package var y: Int
        package var rgb: [Int]
        package var tol: Int
    }
}

extension ImageCase {
    /// AEM's cases on made originals.
    package static let aem = cases("aem/transform-cases.json")
    /// AEM's cases on photographs.
    package static let aemPhotos = cases("aem/photo-cases.json")
    /// microCMS' cases.
    package static let microCMS = cases("microcms/image-cases.json")

    /// The pixels of the photographs, which the fixtures themselves do not carry.
    package static let photoSizes = [
        "photos/camp-summer-night.jpg": (1620, 1080), "photos/surfing_5.jpg": (1920, 1080),
        "photos/freeride.jpg": (720, 1080), "photos/adam-wilson-642203-unsplash.jpg": (853, 1280),
        "photos/article_01_picture_01.png": (765, 535), "photos/blast.jpg": (1626, 1080),
        "photos/northern-lights.jpg": (1279, 853), "photos/skitouring8sjoeberg.jpg": (1279, 853),
        "photos/hiking-campaign.jpg": (1620, 1080), "photos/ayo-ogunseinde-237739.jpg": (2950, 3840),
    ]

    /// What a probe of the original says; nil where there is no original.
    package var probed: SourceDescription? {
        if let photo, let (width, height) = Self.photoSizes[photo] {
            let format: ImageFormat = photo.hasSuffix(".png") ? .png : .jpeg
            return SourceDescription(format: format, size: PixelSize(width: width, height: height))
        }
        guard let source, let format = ImageFormat(name: source.format) else { return nil }
        let orientation = source.orientation ?? 1
        let stored = PixelSize(width: source.width, height: source.height)
        return SourceDescription(
            format: format,
            size: orientation > 4 ? PixelSize(width: stored.height, height: stored.width) : stored,
            frames: source.frames ?? 1,
            hasAlpha: source.alpha ?? false,
            orientation: orientation
        )
    }

    private struct File: Decodable {
        var cases: [ImageCase]
    }

    /// Empty where the file cannot be read, which no test takes for a pass.
    private static func cases(_ name: String) -> [ImageCase] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("RenditionCacheTests/Fixtures")
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { return [] }
        let decoder = JSONDecoder()
        return (try? decoder.decode(File.self, from: data).cases) ?? (try? decoder.decode([ImageCase].self, from: data))
            ?? []
    }
}
