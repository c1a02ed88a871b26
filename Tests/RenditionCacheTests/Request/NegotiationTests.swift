import Testing

@testable import RenditionCache

@Suite struct NegotiationTests {
    @Test(
        arguments: [
            (nil, 0.0), ("", 0), ("image/webp", 1), ("image/avif,image/webp,*/*", 1), ("image/*,*/*;q=0.8", 0),
            ("*/*", 0),
            ("image/webp;q=0", 0), ("image/webp;q=0.000,image/*", 0), ("IMAGE/WebP ; Q=0.5", 0.5),
            ("text/html,\timage/webp\t;q=1.0", 1),
            ("image/webp;q=2", 0), ("image/webp;q=nan", 0), ("image/webp;q=", 0), ("image/webp;level=1;q=0.3", 0.3),
            ("image/webpx", 0),
            (",;,image/webp,;q=1,", 1), ("image/webp;q=0.2,image/webp;q=0.4", 0.4),
        ] as [(String?, Double)]
    )
    func `only the format's own name counts, with its weight`(_ header: String?, _ weight: Double) {
        #expect(AcceptedTypes(header).weight(of: .webp) == weight)
        #expect(AcceptedTypes(header).names(.webp) == (weight > 0))
    }

    struct Choice: Sendable, CustomTestStringConvertible {
        var format: Transform.Format
        var accept: String?
        var text: String
        var testDescription: String { "\(format) for \(accept ?? "nothing")" }

        init(_ format: Transform.Format, _ accept: String?, _ text: String) {
            self.format = format
            self.accept = accept
            self.text = text
        }
    }

    @Test(arguments: [
        Choice(.auto(avif: false), nil, "format=family"),
        Choice(.auto(avif: false), "*/*", "format=family"),
        Choice(.auto(avif: false), "image/avif,image/webp", "format=first-of-webp-family"),
        Choice(.auto(avif: true), "image/avif,image/webp", "format=first-of-avif-webp-family"),
        Choice(.auto(avif: true), "image/avif", "format=first-of-avif-family"),
        Choice(.auto(avif: true), "image/avif;q=0.5,image/webp;q=0.6", "format=first-of-webp-family"),
        Choice(.auto(avif: true), "image/avif;q=0,image/webp", "format=first-of-webp-family"),
        Choice(.smallest(avif: false), "image/avif,image/webp", "format=fewest-of-webp-family"),
        Choice(.smallest(avif: true), "image/avif,image/webp", "format=fewest-of-avif-webp-family"),
        Choice(.smallest(avif: true), nil, "format=family"),
        Choice(.preferWebP(else: .jpeg), "image/*", "format=jpeg"),
        Choice(.preferWebP(else: .jpeg), "image/webp", "format=webp"),
        Choice(.preferWebP(else: .png), "image/webp", "format=webp&quality=lossless"),
        Choice(.preferWebP(else: .gif), "image/webp", "format=webp&quality=lossless"),
        Choice(.preferWebP(else: nil), "image/webp", "format=webp&quality=lossless,80"),
        Choice(.preferWebP(else: nil), nil, ""),
        Choice(.fixed(.png), "image/webp", "format=png"),
        Choice(.source, "image/webp", ""),
    ])
    func `a client gets what it can show`(_ choice: Choice) {
        let negotiated = Transform(format: choice.format).negotiated(AcceptedTypes(choice.accept))
        #expect(negotiated.canonicalText == choice.text)
        #expect(!negotiated.isNegotiated)
    }

    @Test(arguments: [
        ("preferwebp=true&format=jpeg", ["format=jpeg", "format=webp"]),
        ("format=auto&width=640", ["width=640&format=family", "width=640&format=webp"]),
        ("format=smallest", ["format=family", "format=fewest-of-webp-family"]), ("format=webp", ["format=webp"]),
        ("", [""]),
    ])
    func `warm makes every format that a dialect can yield`(_ query: String, _ texts: [String]) throws {
        let selection = RenditionRequest.Selection.transform(try OwnDialect.transform(query: query))
        let forms = WarmSelection.concrete(selection).map { form in
            if case .transform(let transform) = form { transform.canonicalText } else { "" }
        }
        #expect(forms == texts)
    }

    @Test func `a preset that lists AVIF is warmed in three formats`() throws {
        let preset = try OwnDialect.transform(parameters: [("format", "avif,auto"), ("width", "640")])
        #expect(
            preset.concreteForms.map(\.canonicalText) == [
                "width=640&format=family", "width=640&format=webp", "width=640&format=first-of-avif-webp-family",
            ]
        )
        #expect(throws: RequestError.self) { try OwnDialect.transform(query: "format=avif,auto") }
    }

    @Test(arguments: [
        (TransformDialect.own, "width=640&preferwebp=true", 2), (.aem, "width=640&preferwebp=true", 2),
        (.aem, "width=640", 1),
        (.microcms, "w=640&auto=format", 1),
    ])
    func `a channel's warm entry is in its dialect`(_ dialect: TransformDialect, _ text: String, _ count: Int) throws {
        let selection = try WarmSelection.selection(text, presets: [:], dialect: dialect)
        #expect(WarmSelection.concrete(selection).count == count)
    }
}
