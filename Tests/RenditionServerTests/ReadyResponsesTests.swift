import RenditionCache
import Testing

@testable import RenditionServer

@Suite struct ReadyResponsesTests {
    private func response(_ bytes: Int, second: Int, to client: AcceptClass? = nil) throws -> ReadyResponse {
        let format: Transform.Format = client == nil ? .source : .auto(avif: true)
        let request = RenditionRequest(channel: "c", asset: .id("a"), selection: .transform(Transform(format: format)))
        let query = PictureQuery(candidates: [request], surface: .own).negotiated { client ?? .neither }
        #expect(query.accepted == client)
        let picture = Picture(
            rendition: picture(bytes: Array(repeating: 1, count: bytes)),
            handling: .hit,
            request: query.candidates[0],
            query: query
        )
        return try #require(ReadyResponse(picture, second: second))
    }

    @Test func `the table keeps to its number and its bytes, and what nobody asked for makes room`() throws {
        // Bodies of 1000 bytes with their heads and keys.
        let table = ReadyResponses(maxEntries: 3, maxBytes: 1000 + 3 * (ReadyResponse.headBytes + 1))
        for key in UInt8(0)..<3 { table.keep(try response(300, second: 10), for: [key]) }
        // All three were asked for just now, so the newcomer goes without.
        table.keep(try response(1, second: 11), for: [9])
        #expect(table.fixed([9]) == nil && table.fixed([0]) != nil)
        table.keep(try response(300, second: 12), for: [0])
        table.keep(try response(300, second: 12), for: [9])
        #expect(table.fixed([0]) != nil && table.fixed([9]) != nil)
        #expect(table.fixed([1]) == nil && table.fixed([2]) == nil)
        // 400 bytes are left.
        table.keep(try response(401, second: 12), for: [7])
        #expect(table.fixed([7]) == nil)
        table.keep(try response(400, second: 12), for: [7])
        #expect(table.fixed([7]) != nil)
    }

    @Test func `each class of clients has its own response, and one that leaves takes no other with it`() throws {
        let table = ReadyResponses(maxEntries: 6, maxBytes: 1_000_000)
        for (count, client) in AcceptClass.allCases.enumerated() {
            #expect(table.response(for: [1], to: { client }) == nil)
            table.keep(try response(count + 1, second: 10, to: client), for: [1])
        }
        func counts() -> [Int?] {
            AcceptClass.allCases.map { client in table.response(for: [1], to: { client })?.content.count }
        }
        #expect(counts() == [1, 2, 3, 4, 5])
        table.forget([1], accepted: .webp)
        #expect(counts() == [1, nil, 3, 4, 5])
        // Kept again it takes the place of its like alone, and the table has room for what has been forgotten.
        table.keep(try response(9, second: 12, to: .avif), for: [1])
        table.keep(try response(7, second: 12), for: [2])
        table.keep(try response(7, second: 12), for: [3])
        #expect(counts() == [1, nil, 9, 4, 5])
        // The next one sweeps what nobody asked for in the last second.
        table.keep(try response(7, second: 12), for: [4])
        #expect(counts() == [nil, nil, 9, nil, nil])
        #expect(table.fixed([2]) != nil && table.fixed([3]) != nil && table.fixed([4]) != nil)
    }

    @Test func `nobody reads what a client accepts where the target decides`() throws {
        let table = ReadyResponses()
        table.keep(try response(1, second: 1), for: [1])
        #expect(table.fixed([1]) != nil)
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

extension ReadyResponses {
    /// What is kept for a target of which nobody may have to say what they accept.
    fileprivate func fixed(_ target: [UInt8]) -> ReadyResponse? {
        response(for: target) {
            Issue.record("the client was asked")
            return .neither
        }
    }
}
