import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

@Suite struct AccessTests {
    private static let token = "0123456789abcdef"

    struct Case: Sendable, CustomTestStringConvertible {
        var token: String? = AccessTests.token
        var authentication = OriginAuthentication.none
        var headers: [String: String] = [:]
        var access = ChannelSettings.Access.same
        var query = ""
        var fields: [String] = []
        var status: Int

        var testDescription: String {
            "\(token ?? "no token") \(authentication) \(access) \(query) \(fields): \(status)"
        }

        var service: FakeService {
            var settings = OCMSettings(url: "https://cms.example", channelToken: token)
            settings.authentication = authentication
            settings.headers = headers
            var channel = ChannelSettings(name: "blog", kind: .ocm(settings))
            channel.access = access
            let service = FakeService(channels: [channel])
            service.keep(picture(), for: RenditionRequest(channel: "blog", asset: .id("C1")))
            return service
        }
    }

    @Test(arguments: [
        Case(status: 403),
        Case(query: "?channelToken=0123456789abcdeX", status: 403),
        Case(query: "?channelToken=", status: 403),
        Case(query: "?channelToken=\(token)", status: 200),
        Case(fields: ["channelToken: \(token)"], status: 200),
        Case(query: "?channelToken=wrong", fields: ["channelToken: \(token)"], status: 403),
        Case(access: .open, status: 200),
        Case(token: nil, status: 200),
        Case(token: nil, authentication: .bearer(token: "t"), status: 401),
        Case(token: nil, authentication: .bearer(token: "t"), fields: ["Authorization: Bearer t"], status: 200),
        Case(token: nil, authentication: .bearer(token: "t"), fields: ["Authorization: bearer  t"], status: 200),
        Case(token: nil, authentication: .bearer(token: "t"), fields: ["Authorization: Bearer"], status: 401),
        Case(token: nil, authentication: .bearer(token: "t"), fields: ["Authorization: Basic t"], status: 401),
        Case(token: nil, authentication: .bearer(token: "t"), access: .open, status: 200),
        Case(
            token: nil,
            authentication: .basic(user: "u", password: "p"),
            fields: ["Authorization: Basic dTpw"],
            status: 200
        ),
        Case(token: nil, headers: ["authorization": "Key k"], status: 401),
        Case(token: nil, headers: ["authorization": "Key k"], fields: ["Authorization: Key k"], status: 200),
        Case(authentication: .bearer(token: "t"), fields: ["Authorization: Bearer t"], status: 403),
        Case(authentication: .bearer(token: "t"), query: "?channelToken=\(token)", status: 401),
    ])
    func `a channel's pictures are for those who present its credentials, on both surfaces`(_ row: Case) async throws {
        try await withServer(row.service) { server in
            for path in ["/v1/blog/C1/native", "/content/published/api/v1.1/assets/C1/native"] {
                let response = try await get(path + row.query, port: server.port, row.fields)
                #expect(response.status == row.status, "\(path)")
                #expect((response["WWW-Authenticate"] != nil) == (row.status == 401))
                if row.status != 200 { #expect(!response.text.contains(Self.token)) }
            }
        }
    }

    @Test func `what one caller's credentials opened stays shut for the next`() async throws {
        let row = Case(token: nil, authentication: .bearer(token: "t"), status: 200)
        try await withServer(row.service) { server in
            let client = try RawClient(port: server.port)
            for path in ["/v1/blog/C1/native", "/content/published/api/v1.1/assets/C1/native"] {
                for _ in 0..<2 { #expect(try await client.get(path, ["Authorization: Bearer t"]).status == 200) }
                #expect(try await client.get(path).status == 401)
            }
        }
    }

    @Test func `no shared cache may keep what a token outside of the URL has opened`() async throws {
        try await withServer(Case(status: 200).service) { server in
            for path in ["/v1/blog/C1/native", "/content/published/api/v1.1/assets/C1/native"] {
                let inField = try await get(path, port: server.port, ["channelToken: \(Self.token)"])
                #expect(inField["Cache-Control"] == "private, no-store")
                let inQuery = try await get("\(path)?channelToken=\(Self.token)", port: server.port)
                #expect(inQuery["Cache-Control"] == "public, max-age=900")
            }
        }
    }

    @Test func `a transform takes the token beside its own parameters`() async throws {
        let service = Case(status: 200).service
        let wanted = RenditionRequest(
            channel: "blog",
            asset: .id("C1"),
            selection: .transform(Transform(resize: .inside(width: 64, height: nil), format: .fixed(.webp)))
        )
        service.keep(picture(format: .webp), for: wanted)
        try await withServer(service) { server in
            let path = "/v1/blog/C1/image.webp?channelToken=\(Self.token)&width=64"
            let response = try await get(path, port: server.port)
            #expect(response["Content-Type"] == "image/webp")
        }
    }
}
