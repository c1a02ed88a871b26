import RenditionCache
import Testing

@testable import RenditionServer

@Suite struct ReadyResponsesTests {
    private func response(_ bytes: Int, second: Int) throws -> ReadyResponse {
        let request = RenditionRequest(channel: "c", asset: .id("a"))
        let picture = Picture(
            rendition: picture(bytes: Array(repeating: 1, count: bytes)),
            handling: .hit,
            request: request,
            query: PictureQuery(candidates: [request], surface: .own)
        )
        return try #require(ReadyResponse(picture, second: second))
    }

    @Test func `the table keeps to its number and its bytes, and what nobody asked for makes room`() throws {
        // Bodies of 1000 bytes with their heads and keys.
        let table = ReadyResponses(maxEntries: 3, maxBytes: 1000 + 3 * (ReadyResponse.headBytes + 1))
        for key in UInt8(0)..<3 { table.keep(try response(300, second: 10), for: [key]) }
        // All three were asked for just now, so the newcomer goes without.
        table.keep(try response(1, second: 11), for: [9])
        #expect(table[[9]] == nil && table[[0]] != nil)
        table.keep(try response(300, second: 12), for: [0])
        table.keep(try response(300, second: 12), for: [9])
        #expect(table[[0]] != nil && table[[9]] != nil)
        #expect(table[[1]] == nil && table[[2]] == nil)
        // 400 bytes are left.
        table.keep(try response(401, second: 12), for: [7])
        #expect(table[[7]] == nil)
        table.keep(try response(400, second: 12), for: [7])
        #expect(table[[7]] != nil)
    }

    @Test func `making a response anew shares the bytes of the one before`() throws {
        let first = try response(5000, second: 1)
        let second = try #require(ReadyResponse(first.picture, second: 2, earlier: first))
        guard case .bytes(let one) = first.content, case .bytes(let two) = second.content else {
            Issue.record("bodies in memory")
            return
        }
        #expect(one === two)
        #expect(first.fields != second.fields)
    }

    @Test func `a response that is let go of lets go of its bytes`() throws {
        weak var owner: BodyBytes?
        do {
            let bytes = BodyBytes([1, 2, 3])
            owner = bytes
            var responses = [PreparedResponse([], .bytes(bytes)), PreparedResponse([], .bytes(bytes), range: 1..<2)]
            #expect(responses.allSatisfy { $0 != nil })
            responses = []
        }
        #expect(owner == nil)
    }
}
