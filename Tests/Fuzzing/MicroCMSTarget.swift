@testable import RenditionCache
@testable import RenditionModel

/// The parameters of microCMS' picture addresses.
enum Target: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let words = Words(input) else { return }
        let query = String(decoding: words.query, as: UTF8.self)
        let request: MicroCMSDialect.Request
        do throws(RequestError) {
            request = try MicroCMSDialect.request(query: query)
        } catch {
            return expect(!error.description.isEmpty, "a refusal says why")
        }
        _ = request.isExpired(at: 1_700_000_000)
        switch request.outcome {
        case .transform(let transform), .blurHash(let transform): Promises(words: words).hold(for: transform)
        case .untouched, .information: break
        }
    }

    static func seeds(fixtures: String) throws -> [[UInt8]] {
        try Cases.seeds("\(fixtures)/microcms/image-cases.json") + [
            Words.seed("txt64=SGVsbG8&txt-size=40&txt-align=middle,center&txt-fit=max&txt-clip=end,ellipsis&w=0.5"),
            Words.seed("fit=crop&crop=focalpoint&fp-x=0.1&fp-y=0.9&fp-z=3&w=300&h=200&ar=3:2&min-w=10&max-h=90"),
            Words.seed("pad=10&pad-left=30&mask=corners&corner-radius=4,5,6,7&border=3,a00&rot=33&mask-bg=teal&px=9"),
        ]
    }
}
