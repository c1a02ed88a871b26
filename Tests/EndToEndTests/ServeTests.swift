import Foundation
import TestSupport
import Testing

/// `rcache serve`, as a client sees it over a socket.
@Suite struct ServeTests {
    @Test func `what was warmed is served with validators, in parts, and without a body`() async throws {
        let site = try Site(pictures: 2)
        try await site.publish()
        try site.configure()
        let id = try #require(try await site.identifiers()["p2.png"])
        let picture = try #require(site.pictures["p2.png"])
        let (serve, port) = try await site.serve()
        let client = try RawClient(port: port)
        for target in ["/v1/blog/\(id)/native", "/content/published/api/v1.1/assets/\(id)/native/p2.png"] {
            let whole = try await client.get(target)
            #expect(whole.status == 200 && whole.body == picture)
            #expect(whole["Content-Type"] == "image/png")
            #expect(whole["Accept-Ranges"] == "bytes")
            let tag = try #require(whole["ETag"])

            let known = try await client.get(target, ["If-None-Match: \(tag)"])
            #expect(known.status == 304 && known.body.isEmpty && known["ETag"] == tag)
            let part = try await client.get(target, ["Range: bytes=100-299"])
            #expect(part.status == 206 && part.body == Array(picture[100..<300]))
            #expect(part["Content-Range"] == "bytes 100-299/\(picture.count)")
            let tail = try await client.get(target, ["Range: bytes=-10", "If-Range: \(tag)"])
            #expect(tail.status == 206 && tail.body == picture.suffix(10))
            let beyond = try await client.get(target, ["Range: bytes=\(picture.count)-"])
            #expect(beyond.status == 416 && beyond["Content-Range"] == "bytes */\(picture.count)")

            let head = try await client.get(target, method: "HEAD")
            #expect(head.status == 200 && head["ETag"] == tag)
            #expect(head["Content-Length"] == "\(picture.count)")
            // Nothing was left in the connection that would be taken for the next answer.
            #expect(try await client.get("/healthz").status == 200)
        }
        serve.send(SIGTERM)
        #expect(await serve.end().status == 0)
        await site.unpublish()
    }

    @Test func `a service in front of a dead CMS goes on, and says what is old and what is a stand-in`() async throws {
        let site = try Site(pictures: 2)
        try await site.publish()
        try site.configure("maxAge: 0, staleWhileRevalidate: 0")
        let ids = try await site.identifiers()
        let (first, second) = (try #require(ids["p1.png"]), try #require(ids["p2.png"]))
        let (serve, port) = try await site.serve()
        let client = try RawClient(port: port)
        let fresh = try await client.get("/v1/blog/\(first)/Thumbnail.jpg")
        #expect(fresh.status == 200)
        await site.unpublish()

        let stale = try await client.get("/v1/blog/\(first)/Thumbnail.jpg")
        #expect(stale.status == 200 && stale.body == fresh.body)
        #expect(stale["RCache-Provenance"]?.contains("stale=") == true)
        #expect(stale["RCache-Provenance"]?.contains("cause=origin-down") == true)
        for _ in 0..<2 {
            let stand = try await client.get("/v1/blog/\(second)/Thumbnail.jpg")
            #expect(stand["RCache-Provenance"]?.hasPrefix("placeholder;cause=origin-down") == true)
            #expect(stand["Cache-Control"] == "no-store")
            #expect(stand["ETag"] == nil && stand["Last-Modified"] == nil)
            #expect(stand["Content-Type"] == "image/jpeg" && stand.body.starts(with: [0xFF, 0xD8]))
        }
        serve.send(SIGTERM)
        #expect(await serve.end().status == 0)
        #expect(try await site.statistics().entries == 1)
    }

    /// An OCM with one picture, which it keeps back until the gate opens.
    private func slowCMS(_ picture: [UInt8], _ gate: Gate) throws -> LoopbackOrigin {
        try LoopbackOrigin { request in
            if request.path.hasSuffix("/items/A") {
                return .json(
                    #"{"id":"A","type":"Image","typeCategory":"DigitalAssetType","name":"a.png","mimeType":"image/png"}"#
                )
            }
            guard request.path.hasSuffix("/native") else { return .json("{}", status: 404) }
            return LoopbackOrigin.Response(type: "image/png", body: picture).paused(after: 100, by: gate)
        }
    }

    @Test func `SIGTERM lets an answer that is under way come to its end`() async throws {
        let site = try Site(pictures: 1)
        let picture = try #require(site.pictures["p1.png"])
        let gate = Gate()
        defer { gate.open() }
        let cms = try slowCMS(picture, gate)
        try site.configure(cms: cms.url)
        let (serve, port) = try await site.serve()
        let (client, idle) = (try RawClient(port: port), try RawClient(port: port))
        #expect(try await idle.get("/healthz").status == 200)
        async let answer = client.get("/v1/blog/A/native")
        try await gate.waitUntilArrived(1)
        serve.send(SIGTERM)
        // It has stopped listening, so it is on its way out; and still the answer is not lost.
        while (try? await RawClient(port: port).get("/healthz")) != nil { await Task.yield() }
        #expect(serve.isRunning)
        gate.open()
        let response = try await answer
        #expect(response.status == 200, "\(response.head)")
        #expect(response.body == picture)
        let run = await serve.end()
        #expect(run.status == 0, "\(run.messages)")
        withExtendedLifetime(cms) {}
    }

    @Test func `a warm beside a service on one directory: both are right, and one has what the other made`()
        async throws
    {
        let site = try Site(pictures: 24)
        try await site.publish()
        try site.configure("warm: [\"native\", \"Thumbnail.jpg\"]")
        let ids = try await site.identifiers()
        let (serve, port) = try await site.serve()
        let warm = try RunningCommand(["warm", "--json"], in: site.folder.path)
        let order = ids.sorted { $0.key < $1.key }
        let thumbnails = try await withThrowingTaskGroup(of: [String: [UInt8]].self) { group in
            for number in 0..<4 {
                group.addTask { [pictures = site.pictures] in
                    let client = try RawClient(port: port)
                    var made: [String: [UInt8]] = [:]
                    for turn in order.indices where turn % 4 == number {
                        let (name, id) = order[turn]
                        let native = try await client.get("/v1/blog/\(id)/native")
                        #expect(native.status == 200 && native.body == pictures[name], "\(name)")
                        let thumbnail = try await client.get("/v1/blog/\(id)/Thumbnail.jpg")
                        #expect(thumbnail.status == 200 && thumbnail.body.starts(with: [0xFF, 0xD8]), "\(name)")
                        made[id] = thumbnail.body
                    }
                    return made
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
        let run = await warm.end()
        #expect(run.status == 0, "\(run.messages)")
        #expect(try run.objects().last?["done"] as? Int == 24)

        // From here on nobody has to ask the CMS or a worker for anything.
        let asked = try await site.counter("requests")
        let rendered = try await site.counter("renders", port: port)
        let client = try RawClient(port: port)
        for (name, id) in ids {
            #expect(try await client.get("/v1/blog/\(id)/native").body == site.pictures[name])
            #expect(try await client.get("/v1/blog/\(id)/Thumbnail.jpg").body == thumbnails[id])
        }
        // The question itself is one.
        #expect(try await site.counter("requests") == asked + 1)
        #expect(try await site.counter("renders", port: port) == rendered)
        serve.send(SIGTERM)
        #expect(await serve.end().status == 0)
        let (entries, allocated) = try await site.statistics()
        #expect(entries == 48)
        #expect(allocated >= site.pictures.values.reduce(0) { $0 + $1.count })
        await site.unpublish()
    }
}
