@testable import RenditionCache
@testable import RenditionModel

/// The parameters of AEM's web-optimized delivery and of its OpenAPI.
enum Target: FuzzTarget {
    private static let extensions = ["jpg", "png", "webp", "gif", "avif", "pjpg", "JPEG", "", "svg", "webply"]

    static func run(_ input: UnsafeRawBufferPointer) {
        guard let words = Words(input) else { return }
        let promises = Promises(words: words)
        let query = String(decoding: words.query, as: UTF8.self)
        if let transform = try? AEMDialect.transform(query: query) { promises.hold(for: transform) }
        guard let target = try? RequestTarget(Array("/a?".utf8) + words.query) else { return }
        let name = extensions[Int(words.choice) % extensions.count]
        let crops = ["hero": AEMDialect.smartCrop(left: 0.1, top: 0.2, width: 0.5, height: 0.9)].compactMapValues { $0 }
        for surface in [AEMDialect.Surface.webOptimized, .openAPI] {
            do throws(RequestError) {
                promises.hold(
                    for: try AEMDialect.transform(target, extension: name, surface: surface, smartCrops: crops)
                )
            } catch {
                expect(!error.description.isEmpty, "a refusal says why")
            }
        }
    }

    static func seeds(fixtures: String) throws -> [[UInt8]] {
        try Cases.seeds("\(fixtures)/aem/transform-cases.json") + [Words.seed("smartcrop=hero&width=300")]
    }
}
