import Foundation
import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

@Suite struct WaitingTests {
    private let medium = RenditionRequest(
        channel: "photos",
        asset: .id("harbour"),
        selection: .named("Medium", format: nil)
    )
    private let target = "/v1/photos/harbour/Medium"

    @Test func `64 clients that wait for one picture are all answered with it`() async throws {
        let service = FakeService()
        let wanted = picture()
        service.give(.rendition(wanted), for: medium)
        service.hold()
        try await withServer(service) { server in
            async let answers = withThrowingTaskGroup(of: RawClient.Response.self) { group in
                for _ in 0..<64 { group.addTask { try await get(target, port: server.port) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            await service.waitUntilAsked(64)
            // Somebody else's hit is answered meanwhile.
            service.keep(wanted, for: RenditionRequest(channel: "photos", asset: .id("hit")))
            #expect(try await get("/v1/photos/hit/native", port: server.port).status == 200)
            service.release()
            let bytes = try wanted.body.bytes()
            let all = try await answers
            #expect(all.count == 64)
            #expect(all.allSatisfy { $0.status == 200 && $0.body == bytes })
        }
    }

    @Test func `a client that leaves ends its request's work and frees its place`() async throws {
        let service = FakeService()
        service.give(.rendition(picture()), for: medium)
        service.hold()
        try await withServer(service, { $0.maxWaiting = 1 }) { server in
            let leaver = try RawClient(port: server.port)
            leaver.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            await service.waitUntilAsked(1)
            let refused = try await get(target, port: server.port)
            #expect(refused.status == 503)
            #expect(refused["Retry-After"] == "1")
            leaver.leave()
            await service.waitUntilCancelled(1)
            async let next = get(target, port: server.port)
            await service.waitUntilAsked(2)
            service.release()
            #expect(try await next.status == 200)
        }
    }

    @Test func `a request that has waited too long is answered 504 and its work ended`() async throws {
        let service = FakeService()
        service.hold()
        try await withServer(service, { $0.waitLimit = .milliseconds(20) }) { server in
            let response = try await get(target, port: server.port)
            #expect(response.status == 504)
            #expect(try response.json()["error"] as? String == "The picture could not be had in time.")
            await service.waitUntilCancelled(1)
        }
    }

    @Test func `pipelined requests are answered in their order, a slow one first`() async throws {
        let service = FakeService()
        service.give(.rendition(picture(bytes: [1])), for: medium)
        service.keep(picture(bytes: [2, 2]), for: RenditionRequest(channel: "photos", asset: .id("b")))
        service.hold()
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            client.send(
                "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/photos/b/native HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
            )
            await service.waitUntilAsked(1)
            service.release()
            #expect(try await client.response().body == [1])
            #expect(try await client.response().body == [2, 2])
            #expect(try await client.response().text == "ok\n")
        }
    }

    @Test func `2,000 requests over 64 connections are all answered, each with its own picture`() async throws {
        let service = FakeService()
        for index in 0..<40 {
            let request = RenditionRequest(channel: "photos", asset: .id("p\(index)"))
            let picture = picture(bytes: Array(repeating: UInt8(index), count: 500 + index), tag: "\"\(index)\"")
            // Half of them are hits, half have to wait.
            if index.isMultiple(of: 2) {
                service.keep(picture, for: request)
            } else {
                service.give(.rendition(picture), for: request)
            }
        }
        try await withServer(service) { server in
            let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
                for connection in 0..<64 {
                    group.addTask {
                        let client = try RawClient(port: server.port)
                        var wrong = 0
                        for step in 0..<(connection < 16 ? 32 : 31) {
                            let index = (connection * 7 + step) % 40
                            let answer = try await client.get("/v1/photos/p\(index)/native")
                            let isRight =
                                answer.status == 200
                                && answer.body == Array(repeating: UInt8(index), count: 500 + index)
                            wrong += isRight ? 0 : 1
                        }
                        return wrong
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(wrong == 0)
            #expect(service.metrics[.requests] == 2000)
        }
    }

    @Test func `stopping lets a waiting request finish and then closes its connection`() async throws {
        let service = FakeService()
        service.give(.rendition(picture()), for: medium)
        service.hold()
        let server = try Server(service, settings: settings())
        let client = try RawClient(port: server.port)
        client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        await service.waitUntilAsked(1)
        async let stopped: Void = server.stop(within: .seconds(30))
        try await untilRefused(server.port)
        service.release()
        let response = try await client.response()
        #expect(response.status == 200)
        #expect(response["Connection"] == "close")
        await stopped
        #expect(try await client.isClosed())
    }

    @Test func `stopping does not wait for ever`() async throws {
        let service = FakeService()
        service.hold()
        let server = try Server(service, settings: settings())
        let client = try RawClient(port: server.port)
        client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        await service.waitUntilAsked(1)
        await server.stop(within: .milliseconds(10))
        await service.waitUntilCancelled(1)
        let response = try await client.response()
        #expect(response.status == 503)
        #expect(response["Connection"] == "close")
        #expect(try await client.isClosed())
        service.release()
    }

    @Test func `an idle server stops at once, whatever half of a request it has read`() async throws {
        let service = FakeService()
        let server = try Server(service, settings: settings())
        for broken in [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET ", "GET /x HTTP/1.1\r\nHo", "GET /x HTTP/1.1\r\n: y\r\n\r\n",
        ] {
            let client = try RawClient(port: server.port)
            client.send(broken)
            _ = try? await client.get("/healthz")
        }
        let start = ContinuousClock.now
        await server.stop(within: .seconds(60))
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    private func settings() -> ServerSettings {
        var settings = ServerSettings()
        settings.port = 0
        settings.threads = 2
        return settings
    }

    /// Returns once nobody accepts connections any more.
    private func untilRefused(_ port: Int) async throws {
        while let client = try? RawClient(port: port) {
            client.leave()
            await Task.yield()
        }
    }
}
