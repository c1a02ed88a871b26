import Foundation
import FoundationNetworking
import Glibc
import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

@Suite struct ServerTests {
    private let medium = RenditionRequest(
        channel: "photos",
        asset: .id("sub/harbour"),
        selection: .named("Medium", format: nil)
    )
    private let target = "/v1/photos/sub/harbour/Medium"

    @Test func `a hit is answered with everything that is known of the picture`() async throws {
        let service = FakeService()
        let picture = picture()
        service.keep(picture, for: medium)
        try await withServer(service) { server in
            let response = try await get(target, port: server.port)
            #expect(response.status == 200)
            #expect(try response.body == picture.body.bytes())
            #expect(response["Content-Type"] == "image/jpeg")
            #expect(response["Content-Length"] == "10240")
            #expect(response["ETag"] == "\"a1\"")
            #expect(response["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(response["Cache-Control"] == "public, max-age=900")
            #expect(response["Accept-Ranges"] == "bytes")
            #expect(response["X-Content-Type-Options"] == "nosniff")
            #expect(response["RCache-Provenance"] == "local")
            #expect(response["Content-Disposition"] == "inline; filename=\"harbour.jpg\"")
            #expect(response["Cache-Status"]?.hasPrefix("rcache; hit; ttl=89") == true)
            #expect(try ["5", "6"].contains(#require(response["Age"])))
            #expect(response["Date"] != nil)
            #expect(service.askedCount == 0)
        }
    }

    @Test func `HEAD has the fields of GET and no body, on a hit and on a miss`() async throws {
        let service = FakeService()
        service.keep(picture(), for: medium)
        let missed = RenditionRequest(channel: "photos", asset: .id("other"))
        service.give(.rendition(picture(bytes: [1, 2, 3])), for: missed)
        try await withServer(service) { server in
            for target in [target, target, "/v1/photos/other/native"] {
                let client = try RawClient(port: server.port)
                let head = try await client.get(target, method: "HEAD")
                // The same connection: a body after the head would be taken for the next answer.
                let get = try await client.get(target)
                let names = [
                    "Content-Length", "Content-Type", "ETag", "Last-Modified", "Content-Disposition", "Cache-Control",
                ]
                #expect(head.status == 200 && get.status == 200)
                #expect(names.map { head[$0] } == names.map { get[$0] })
                #expect(head["Content-Length"] == String(get.body.count))
            }
        }
    }

    struct Condition: Sendable, CustomTestStringConvertible {
        var fields: [String]
        var status: Int
        var testDescription: String { "\(fields) \(status)" }
    }

    @Test(arguments: [
        Condition(fields: ["If-None-Match: \"a1\""], status: 304),
        Condition(fields: ["If-None-Match: \"x\", W/\"a1\""], status: 304),
        Condition(fields: ["If-None-Match: \"x\"", "If-None-Match: \"a1\""], status: 304),
        Condition(fields: ["If-None-Match: *"], status: 304),
        Condition(fields: ["If-None-Match:"], status: 200),
        Condition(fields: ["If-None-Match: \"x\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], status: 200),
        Condition(fields: ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], status: 304),
        Condition(fields: ["If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], status: 200),
        Condition(fields: ["If-None-Match: \"a1\"", "Range: bytes=0-1"], status: 304),
        Condition(fields: ["Range: bytes=0-1"], status: 206),
        Condition(fields: ["Range: bytes=99999-"], status: 416),
        Condition(fields: ["Range: bytes=0-1,5-6"], status: 200),
        Condition(fields: ["Range: bytes=0-1", "If-Range: \"a1\""], status: 206),
        Condition(fields: ["Range: bytes=0-1", "If-Range: \"old\""], status: 200),
    ])
    func `conditions are held against a hit and the connection goes on`(_ condition: Condition) async throws {
        let service = FakeService()
        service.keep(picture(), for: medium)
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            // The first answer fills the table, the second comes from it.
            for _ in 0..<2 {
                let response = try await client.get(target, condition.fields)
                #expect(response.status == condition.status)
                if response.status != 416 {
                    #expect(response["ETag"] == "\"a1\"")
                    #expect(response["Cache-Control"] == "public, max-age=900")
                    #expect(response["Content-Disposition"] == "inline; filename=\"harbour.jpg\"")
                }
                if response.status == 416 { #expect(response["Content-Range"] == "bytes */10240") }
                if response.status == 304 { #expect(response["Content-Length"] ?? "10240" == "10240") }
            }
            #expect(try await client.get(target).status == 200)
        }
    }

    @Test(arguments: [10_240, 3_000_000])
    func `ranges of bodies in memory and in a file are the right bytes`(count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var picture = picture(bytes: bytes)
        picture.body = .file(try temporaryFile(bytes))
        let service = FakeService()
        service.keep(picture, for: medium)
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            #expect(try await client.get(target).body == bytes)
            let middle = try await client.get(target, ["Range: bytes=1000-4999"])
            #expect(middle.status == 206)
            #expect(middle["Content-Range"] == "bytes 1000-4999/\(count)")
            #expect(middle.body == Array(bytes[1000..<5000]))
            #expect(try await client.get(target, ["Range: bytes=-7"]).body == bytes.suffix(7))
            #expect(try await client.get(target).body == bytes)
        }
    }

    @Test(arguments: [300_000, 3_000_000])
    func `a file is let go of once it is sent, so that it can leave the cache`(count: Int) async throws {
        let service = FakeService()
        let watched = try keepFile(of: count, in: service)
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<2 {
                let answer = try await client.get(target)
                #expect(answer.body.count == count)
            }
            service.forgetAll()
            // The next request on a connection begins after all of the last one is over.
            #expect(try await client.get("/healthz").status == 200)
            #expect(flock(watched.descriptor, LOCK_EX | LOCK_NB) == 0, "nobody reads it any more")
        }
    }

    /// Keeps a picture in a file that is locked as the cache locks what is read; gives another opening of it.
    private func keepFile(of count: Int, in service: FakeService) throws -> OpenFile {
        var picture = picture(bytes: [UInt8](repeating: 7, count: count))
        let file = try temporaryFile(try picture.body.bytes())
        #expect(flock(file.descriptor, LOCK_SH) == 0)
        picture.body = .file(file)
        service.keep(picture, for: medium)
        return OpenFile(owning: open("/proc/self/fd/\(file.descriptor)", O_RDONLY | O_CLOEXEC), byteCount: count)
    }

    @Test func `the age moves on with the clock and the cache is asked once a second`() async throws {
        let clock = ManualClock(1_000_000.25)
        let service = FakeService()
        service.keep(picture(validated: 999_990, lifetime: 60), for: medium)
        try await withServer(service, now: clock.read) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<5 { #expect(try await client.get(target)["Age"] == "10") }
            #expect(service.lookedUpCount == 1)
            clock.advance(by: 7)
            let later = try await client.get(target)
            #expect(later["Age"] == "17")
            #expect(later["Cache-Status"] == "rcache; hit; ttl=43")
            #expect(service.lookedUpCount == 2)
            #expect(service.metrics[.hits] == 4)
        }
    }

    @Test func `a ready response does not outlive its picture's freshness`() async throws {
        let clock = ManualClock(1_000_000.1)
        let service = FakeService()
        service.keep(picture(validated: 999_990.5, lifetime: 10), for: medium)
        service.give(.rendition(picture(tag: "\"new\"")), for: medium)
        try await withServer(service, now: clock.read) { server in
            let client = try RawClient(port: server.port)
            #expect(try await client.get(target)["ETag"] == "\"a1\"")
            service.forgetAll()
            #expect(try await client.get(target)["ETag"] == "\"a1\"")
            clock.advance(by: 0.5)
            #expect(try await client.get(target)["ETag"] == "\"new\"")
        }
    }

    @Test func `a miss is answered when the picture is there`() async throws {
        let service = FakeService()
        service.give(.rendition(picture()), for: medium)
        try await withServer(service) { server in
            let response = try await get(target, port: server.port)
            #expect(response.status == 200)
            #expect(response.body.count == 10_240)
            #expect(response["Cache-Status"] == "rcache; fwd=miss; stored")
        }
    }

    @Test func `a placeholder is a picture that nobody may keep`() async throws {
        let service = FakeService()
        let stand = picture(tag: nil, modified: nil, provenance: Provenance(.placeholder, cause: .originDown))
        service.give(.placeholder(stand, cause: .originDown), for: medium)
        try await withServer(service) { server in
            let response = try await get(target, port: server.port, ["If-None-Match: *", "Range: bytes=0-1"])
            #expect(response.status == 200)
            #expect(response["Cache-Control"] == "no-store")
            #expect(response["ETag"] == nil && response["Last-Modified"] == nil && response["Age"] == nil)
            #expect(response["RCache-Provenance"] == "placeholder;cause=origin-down")
            #expect(response["Cache-Status"] == "rcache; fwd=miss; detail=origin-down")
        }
    }

    @Test func `a stale picture says so and how old it is`() async throws {
        let service = FakeService()
        let old = picture(
            provenance: Provenance(.origin, staleSeconds: 90, cause: .originDown),
            validated: SystemClock.seconds() - 990
        )
        service.give(.stale(old, cause: .originDown), for: medium)
        try await withServer(service) { server in
            let response = try await get(target, port: server.port)
            #expect(response.status == 200)
            #expect(response["RCache-Provenance"] == "origin;stale=90;cause=origin-down")
            let prefix = "rcache; fwd=stale; ttl="
            let status = try #require(response["Cache-Status"])
            #expect(status.hasPrefix(prefix))
            #expect(try #require(Int(status.dropFirst(prefix.count).prefix { $0 != ";" })) <= -90)
            #expect(response["ETag"] == "\"a1\"")
            // Its age is beyond its lifetime: a cache behind us asks again at once.
            #expect(try Int(#require(response["Age"])) ?? 0 >= 990)
        }
    }

    @Test func `an old version is not kept for the lifetime that its URL promises`() async throws {
        let service = FakeService()
        let native = RenditionRequest(channel: "photos", asset: .id("C1"))
        service.give(.stale(picture(provenance: Provenance(.origin, staleSeconds: 0)), cause: .originDown), for: native)
        try await withServer(service) { server in
            for path in ["/v1/photos/C1/native", "/content/published/api/v1.1/assets/C1/native?cb=7"] {
                let response = try await get(path, port: server.port)
                #expect(response.status == 200)
                #expect(response["Cache-Control"] == "public, max-age=0")
            }
        }
    }

    @Test func `a time of change that is still to come is no validator`() async throws {
        let service = FakeService()
        service.keep(picture(modified: SystemClock.seconds() + 100), for: medium)
        try await withServer(service) { server in
            let response = try await get(target, port: server.port)
            #expect(response["Last-Modified"] == nil && response["ETag"] == "\"a1\"")
        }
    }

    @Test func `native SVG may not run scripts`() async throws {
        let service = FakeService()
        let request = RenditionRequest(channel: "photos", asset: .id("logo"))
        service.keep(picture(format: .svg, name: "logo.svg"), for: request)
        try await withServer(service) { server in
            let response = try await get("/v1/photos/logo/native", port: server.port)
            #expect(response["Content-Security-Policy"] == "sandbox; default-src 'none'")
            #expect(response["Content-Type"] == "image/svg+xml")
        }
    }

    @Test func `URLSession, a client that we did not write, gets and revalidates a picture`() async throws {
        let service = FakeService()
        service.keep(picture(), for: medium)
        try await withServer(service) { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(target)"))
            let session = URLSession(configuration: .ephemeral)
            let (data, answer) = try await session.data(for: URLRequest(url: url))
            #expect(data.count == 10_240)
            #expect((answer as? HTTPURLResponse)?.statusCode == 200)
            var again = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
            again.setValue("\"a1\"", forHTTPHeaderField: "If-None-Match")
            let (_, second) = try await session.data(for: again)
            #expect((second as? HTTPURLResponse)?.statusCode == 304)
        }
    }
}
