import Foundation
import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct OCMRequestsTests {
    private static let all = OCMFixtures.cases("url-cases.json")

    /// Where a new client does otherwise than the SDK: the path that is asked for instead, and why.
    private static let otherPaths = [
        // The SDK drops the path of a base URL everywhere else; the API stands at the root (spec OCM §2.2).
        "thumb-base-url-path-is-kept":
            "/content/published/api/v1.1/assets/CONT2A2B2C2D2E2F30313233343536373839/thumbnail"
    ]

    @Test func `the cases are there`() { #expect(Self.all.count == 91) }

    @Test(arguments: all) func `a call becomes the request of the case`(_ test: OCMCase) throws {
        let call = try SDKCall(test)
        guard test.json["error"] == nil else {
            #expect(throws: OriginError.self) { try call.url() }
            return
        }
        let url = try call.url()
        let parts = try #require(URLComponents(string: url.text))
        #expect(url.root == test.json["origin"]?.string)
        let path = Self.otherPaths[test.id] ?? test.json["canonicalPath"]?.string ?? test.json["path"]?.string
        #expect(parts.percentEncodedPath == path)
        let query = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        #expect(query == test.json["query"]?.object?.compactMapValues(\.string))
    }

    /// `Content-Type`, which says nothing on a GET, is not sent (spec OCM §3.4).
    @Test(arguments: all.filter { $0.json["error"] == nil })
    func `a call carries the header fields of the case`(_ test: OCMCase) throws {
        let fields = try SDKCall(test).fields
        #expect(fields["X-Requested-With"] == "XMLHttpRequest")
        for (name, value) in test.json["headers"]?.object ?? [:] { #expect(fields[name] == value.string) }
        guard test.json["absentHeaders"] != nil else { return }
        // The SDK keeps a credential for reads of items; a secure channel asks for it on every request (spec OCM §3.3).
        #expect(fields["Authorization"] == (test.id == "read-override-url-headers-replace" ? nil : "Bearer t0ken"))
    }

    @Test func `identifiers are encoded once and never leave their place`() throws {
        let requests = OCMRequests(base: try #require(WebURL("https://h")), channelToken: "a+b c&d")
        let url = try requests.rendition("Ein Größe/é%20;:", of: "x?y#z")
        #expect(
            url.text
                == "https://h/content/published/api/v1.1/assets/x%3Fy%23z/Ein%20Gr%C3%B6%C3%9Fe%2F%C3%A9%2520%3B%3A"
                + "?channelToken=a%2Bb%20c%26d"
        )
        for id in ["", ".", ".."] { #expect(throws: OriginError.self) { try requests.native(id) } }
    }
}
