@testable import RenditionCache
@testable import RenditionModel

/// rcache's own parameters and paths, and the targets that every dialect is read from.
enum Target: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let words = Words(input) else { return }
        readTarget([UInt8(ascii: "/")] + words.query)
        readTarget(Array("/v1/channel/asset/image?".utf8) + words.query)
        let query = String(decoding: words.query, as: UTF8.self)
        let transform: Transform
        do throws(RequestError) {
            transform = try OwnDialect.transform(query: query)
        } catch {
            expect(!error.description.isEmpty, "a refusal says why")
            return
        }
        Promises(words: words).hold(for: transform)
        expectSpelling(transform, words)
    }

    /// The canonical text means the same transform in the language it is written in.
    private static func expectSpelling(_ transform: Transform, _ words: Words) {
        let text = transform.canonicalText
        let written = text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
        guard let again = try? OwnDialect.transform(query: written) else {
            return expect(false, "the canonical text can be read: \(text)")
        }
        expect(again == transform, "the canonical text means the same: \(text), read as \(again.canonicalText)")
    }

    private static func readTarget(_ bytes: [UInt8]) {
        guard let target = try? RequestTarget(bytes) else { return }
        for segment in target.segments {
            for name in RequestTarget.candidates(segment) {
                expect(!["", ".", ".."].contains(name) && !name.utf8.contains(0), "\(name) can name something")
            }
        }
        _ = OCMDialect.operation(target)
        _ = OCMDialect.parameters(target)
        expect(
            !target.query(without: "width").split(separator: "&").contains { $0.hasPrefix("width=") },
            "width is gone"
        )
        let request = try? OwnDialect.request(target, presets: ["hero": Transform(format: .auto(avif: true))])
        if case .id(let name)? = request?.asset {
            let hasStep = name.split(separator: "/", omittingEmptySubsequences: false).contains {
                [".", "..", ""].contains($0)
            }
            expect(!hasStep, "\(name) does not climb")
        }
    }

    static func seeds(fixtures: String) throws -> [[UInt8]] {
        let queries = [
            "", "width=640", "width=50%25&height=300&fit=cover&gravity=attention", "size=400,300&enlarge=true",
            "crop=10%25,0,80%25,100%25&rotate=90&flip=hv", "focus=0.25,0.75&fit=cover&width=300&height=300&dpr=2",
            "trim=true&background=auto&blur=2.5&sharpen=1", "trim=12&format=webp&quality=lossless",
            "preferwebp=true&format=jpg&quality=70", "format=auto&animated=false&metadata=copyright&profile=keep",
            "fit=pad&width=300&height=200&background=ff000080&gravity=northwest", "format=smallest&quality=auto",
            "width=33.3333333333333333%25&dpr=1.1&fit=cover&height=7", "crop=0.1234567891234,0,1.00000000001p,99.9p",
            "focus=0.3333333333,0.123456789123&fit=cover&size=3,4", "background=00112200&fit=pad&size=9,9",
            "v1/web/folder/picture.jpg/hero.webp",
            "content/published/api/v1.1/assets/CONT1/Medium/a.jpg?channelToken=1",
            "content/published/api/v1.1/items?q=(type%20eq%20%22Image%22)&orderBy=name:asc&limit=10&links=none",
        ]
        return queries.map { Words.seed($0, accept: "image/avif,image/webp;q=0.8,*/*") }
    }
}
