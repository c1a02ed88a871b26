import Testing

@testable import RenditionCache

@Suite struct OCMUsedQueriesTests {
    private func use(_ id: String, _ type: String? = "Image") -> OCMUsedPictures.Use {
        OCMUsedPictures.Use(reference: .id(id), type: type)
    }

    private func texts(_ uses: [OCMUsedPictures.Use]) -> [String] { OCMUsedPictures.queries(for: uses).map(\.text) }

    @Test func `assets are asked for by type, twenty-five at a time`() {
        let queries = texts((0..<60).map { use("A\($0)") } + [use("B", "Logo")])
        #expect(queries.count == 4)
        #expect(queries[0].hasPrefix(#"type eq "Image" and (id eq "A0" or id eq "A1" or"#))
        #expect(queries.map { $0.split(separator: "id eq").count - 1 } == [25, 25, 10, 1])
        #expect(queries[3] == #"type eq "Logo" and id eq "B""#)
    }

    @Test func `what rich text names comes without its type, by identifier or slug`() {
        let uses = [use("A", nil), OCMUsedPictures.Use(reference: .slug("b-(1)"), type: nil)]
        #expect(texts(uses) == [#"(id eq "A" or slug eq "b-(1)")"#])
        #expect(texts([]) == [])
    }

    @Test func `what cannot be quoted is not asked for`() {
        #expect(texts([use("a\"b", nil)]) == [])
        #expect(texts([use("a\"b", nil), use("C", nil)]) == [#"id eq "C""#])
    }
}
