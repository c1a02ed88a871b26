import Foundation
import RenditionCache
import TestSupport
import Testing

/// An OCM that answers with the recordings, and with real pictures where these speak of some.
final class RecordedCMS: Sendable {
    static let token = "0123456789abcdef0123456789abcdef"
    private static let prefix = "/content/published/api/v1.1/"
    /// A file of each item, and slugs by which the cases call it.
    private static let files: [(name: String, slugs: [String])] = [
        ("image-item.json", ["image-1481786088643-harbour"]), ("image-small-item.json", ["image-1"]),
        ("image-png-item.json", []), ("advanced-video-item.json", []), ("file-item.json", []),
        ("article-item.json", []), ("home-item.json", []), ("author-item.json", []), ("topic-item.json", []),
    ]

    static let photo = TestJPEG(180, 68) { x, y in [40 + x, 100 + y % 40, 140] }.bytes
    static let logo = TestPicture.gradient(width: 300, height: 200)
    static let document = Array("%PDF-1.4\nnot for rendering\n%%EOF\n".utf8)
    static let made = TestJPEG(20, 10) { x, y in [x * 9, 120, 130 + y] }.bytes
    static let crop = TestPicture.gradient(width: 50, height: 50, seed: 9)

    private let server: LoopbackOrigin

    init() throws {
        var items: [String: (json: [String: Any], bytes: [UInt8])] = [:]
        for file in Self.files {
            let bytes = try #require(Fixtures.ocm(file.name))
            let json = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            let names = [json["id"], (json["slug"] as? String).map { ".by.slug/\($0)" }].compactMap { $0 as? String }
            for name in names + file.slugs.map({ ".by.slug/\($0)" }) { items[name] = (json, bytes) }
        }
        let documents = items.mapValues(\.bytes)
        let answers = items.mapValues { Self.pictures($0.json) }
        server = try LoopbackOrigin { request in
            guard request.query["channelToken"] == Self.token else {
                return Self.recorded("error-403-channel-token.json", 403)
            }
            guard request.path.hasPrefix(Self.prefix) else { return Self.recorded("error-404-item.json", 404) }
            let rest = String(request.path.dropFirst(Self.prefix.count))
            if rest == "items" {
                return Self.recorded("channel-listing-page\(request.query["offset"] == "0" ? 1 : 2).json", 200)
            }
            if rest.hasPrefix("items/"), let bytes = documents[String(rest.dropFirst(6))] {
                return .init(type: "application/json", body: bytes)
            }
            let parts = rest.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
            guard parts.count >= 3, parts[0] == "assets", let pictures = answers[parts[1]] else {
                return Self.recorded("error-404-item.json", 404)
            }
            let name = request.query["format"].map { "\(parts[2]).\($0)" } ?? parts[2]
            return pictures[name].map { .init(type: $0.type, body: $0.body) }
                ?? Self.recorded("error-404-rendition.json", 404)
        }
    }

    /// A channel of it.
    var channel: ChannelSettings {
        ChannelSettings(name: "blog", kind: .ocm(OCMSettings(url: server.url, channelToken: Self.token)))
    }

    private static func recorded(_ file: String, _ status: Int) -> LoopbackOrigin.Response {
        .init(status, type: "application/json", body: Fixtures.ocm(file) ?? [])
    }

    /// What can be downloaded of an item: its native, and its renditions in every format but WebP, which rcache has to make.
    private static func pictures(_ json: [String: Any]) -> [String: (type: String, body: [UInt8])] {
        let type = json["mimeType"] as? String ?? ""
        var all: [String: (type: String, body: [UInt8])] = [:]
        switch type {
        case "image/jpeg": all["native"] = (type, photo)
        case "image/png": all["native"] = (type, logo)
        case "application/pdf": all["native"] = (type, document)
        default: break
        }
        for rendition in (json["fields"] as? [String: Any])?["renditions"] as? [[String: Any]] ?? [] {
            let name = rendition["name"] as? String ?? ""
            for format in (rendition["formats"] as? [[String: Any]] ?? []).compactMap({ $0["format"] as? String }) {
                switch format {
                case "jpg": all["\(name).jpg"] = ("image/jpeg", made)
                case "png": all["\(name).png"] = ("image/png", crop)
                default: break
                }
            }
            all[name] = all["\(name).jpg"] ?? all["\(name).png"]
        }
        all["thumbnail"] = ("image/jpeg", made)
        return all
    }
}
