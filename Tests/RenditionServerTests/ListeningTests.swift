import Foundation
import Glibc
import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

@Suite struct ListeningTests {
    private func settings(_ address: String = "127.0.0.1", port: Int = 0) -> ServerSettings {
        var settings = ServerSettings()
        settings.address = address
        settings.port = port
        settings.threads = 1
        return settings
    }

    @Test func `a port that is taken is named together with the reason`() async throws {
        let first = try Server(FakeService(), settings: settings())
        let error = #expect(throws: ServerError.self) {
            try Server(FakeService(), settings: settings(port: first.port))
        }
        #expect(
            error?.description == "cannot listen on 127.0.0.1 port \(first.port): Address already in use"
        )
        await first.stop(within: .zero)
    }

    @Test(arguments: ["localhost", "1.2.3.4.5", "", "127.0.0.1:80"])
    func `an address must be numeric`(address: String) {
        #expect(throws: ServerError.badAddress(address)) { try Server(FakeService(), settings: settings(address)) }
    }

    @Test func `a socket that listens already is taken over, with one thread`() async throws {
        let path = try ListeningSocket(address: "127.0.0.1", port: 0)
        let server = try Server(FakeService(), settings: settings(), listeningSocket: dup(path.descriptor))
        #expect(server.port == path.port)
        #expect(try await get("/healthz", port: server.port).status == 200)
        await server.stop(within: .zero)
        // Whoever handed it in still listens.
        let client = try RawClient(port: path.port)
        client.leave()
    }

    @Test func `a byte now and then does not keep a connection for ever`() async throws {
        try await withServer(FakeService(), { $0.idleTimeout = .seconds(1) }) { server in
            let client = try RawClient(port: server.port)
            #expect(try await client.get("/healthz").status == 200)
            client.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX: ")
            let dripping = Task {
                while !Task.isCancelled {
                    client.send("a")
                    try? await Task.sleep(for: .milliseconds(100))
                }
            }
            // The read gives up after 30 s.
            #expect(try await client.isClosed())
            dripping.cancel()
        }
    }

    private static let hasIPv6 = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.isEmpty == false

    @Test(.enabled(if: hasIPv6)) func `IPv6 is listened on`() async throws {
        let server = try Server(FakeService(), settings: settings("::1"))
        #expect(server.port > 0)
        await server.stop(within: .zero)
    }

    @Test func `links name the address when a request names no host`() async throws {
        let service = FakeService()
        service.setAssets([Asset(id: "a", name: "a.jpg", path: "a.jpg")])
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            client.send("GET /content/published/api/v1.1/items HTTP/1.0\r\n\r\n")
            let response = try await client.response()
            #expect(response.text.contains("\"http://127.0.0.1:\(server.port)/content/published/api/v1.1/items"))
        }
    }
}
