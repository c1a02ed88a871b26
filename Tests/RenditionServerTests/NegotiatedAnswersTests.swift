import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

/// Answers whose format the client's `Accept` decides, with a service in memory.
@Suite struct NegotiatedAnswersTests {
    private static let target = "/v1/photos/sub/harbour/smart"
    private static let chrome = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
    private static let pictures: [(accept: String?, format: ImageFormat)] = [
        (nil, .jpeg), ("image/webp", .webp), (chrome, .avif),
    ]

    private static func request(_ accept: String?) -> RenditionRequest {
        let smart = Transform(resize: .inside(width: 640, height: nil), format: .auto(avif: true))
        return RenditionRequest(
            channel: "photos",
            asset: .id("sub/harbour"),
            selection: .transform(smart.negotiated(AcceptedTypes(accept)))
        )
    }

    private static func picture(_ format: ImageFormat) -> Rendition {
        RenditionServerTests.picture(
            bytes: Array("\(format)".utf8) + Array(repeating: 7, count: 3000),
            format: format,
            tag: "\"\(format)\"",
            name: "harbour.\(format.fileExtension)"
        )
    }

    /// A service that has the picture in all three formats.
    private static func service() -> FakeService {
        let service = FakeService()
        for (accept, format) in pictures { service.keep(picture(format), for: request(accept)) }
        return service
    }

    private static func fields(_ accept: String?) -> [String] { accept.map { ["Accept: \($0)"] } ?? [] }

    @Test func `each client gets its own format, whoever asked before it`() async throws {
        let clock = ManualClock(SystemClock.seconds())
        let service = Self.service()
        let clients: [(String?, ImageFormat)] =
            Self.pictures + [
                ("*/*", .jpeg), ("image/webp;q=0, image/*", .jpeg), ("image/webp, image/avif;q=0.5", .webp),
            ]
        try await withServer(service, now: clock.read) { server in
            let client = try RawClient(port: server.port)
            for (accept, format) in clients + clients.reversed() + clients {
                let response = try await client.get(Self.target, Self.fields(accept))
                #expect(response.status == 200)
                #expect(response["Content-Type"] == format.mediaType)
                #expect(response["ETag"] == "\"\(format)\"")
                #expect(response["Vary"] == "Accept")
                #expect(response["Content-Disposition"] == "inline; filename=\"harbour.\(format.fileExtension)\"")
                #expect(try response.body == Self.picture(format).body.bytes())
            }
            // Four classes of clients asked; after each one's first answer the table had the next.
            #expect(service.lookedUpCount == 4)
            #expect(service.metrics[.hits] == clients.count * 3 - 4)
        }
    }

    @Test func `one format that leaves the cache leaves the table without another`() async throws {
        let clock = ManualClock(SystemClock.seconds())
        let service = Self.service()
        try await withServer(service, now: clock.read) { server in
            let client = try RawClient(port: server.port)
            for (accept, _) in Self.pictures { _ = try await client.get(Self.target, Self.fields(accept)) }
            clock.advance(by: 1)
            service.forget(Self.request("image/webp"))
            service.give(
                .rendition(RenditionServerTests.picture(format: .webp, tag: "\"new\"")),
                for: Self.request("image/webp")
            )
            for (accept, format) in Self.pictures {
                let response = try await client.get(Self.target, Self.fields(accept))
                #expect(response["ETag"] == (format == .webp ? "\"new\"" : "\"\(format)\""))
            }
        }
    }

    @Test func `several Accept fields are one list, and one beyond all measure is none`() async throws {
        try await withServer(Self.service()) { server in
            let client = try RawClient(port: server.port)
            func type(_ fields: [String]) async throws -> String? {
                try await client.get(Self.target, fields)["Content-Type"]
            }
            #expect(try await type(["Accept: text/html", "accept: image/webp"]) == "image/webp")
            #expect(try await type(["Accept: image/webp", "Accept: image/avif"]) == "image/avif")
            let long = String(repeating: "a/b,", count: AcceptClass.maxFieldBytes / 4)
            #expect(try await type(["Accept: \(long)image/webp"]) == "image/jpeg")
            #expect(try await type(["Accept: \(long)image/webp", "Accept: image/webp"]) == "image/webp")
        }
    }

    @Test func `a plain cache in front gives every client the right format, and one answer for all where it is fixed`()
        async throws
    {
        let service = Self.service()
        let fixed = "/v1/photos/sub/harbour/native"
        service.keep(Self.picture(.png), for: RenditionRequest(channel: "photos", asset: .id("sub/harbour")))
        try await withServer(service) { server in
            var cache = PlainCache(port: server.port)
            let clients: [(String?, ImageFormat)] = [
                ("image/webp", .webp), (nil, .jpeg), ("*/*", .jpeg), (Self.chrome, .avif), ("image/webp", .webp),
                (nil, .jpeg),
            ]
            for (accept, format) in clients {
                let (own, same) = (try await cache.get(Self.target, accept), try await cache.get(fixed, accept))
                #expect(own["Content-Type"] == format.mediaType)
                #expect(same["Content-Type"] == "image/png")
            }
            #expect(cache.forwarded == [Self.target: 4, fixed: 1])
        }
    }

    struct Condition: Sendable, CustomTestStringConvertible {
        var fields: [String]
        var status: Int
        var testDescription: String { "\(fields) \(status)" }
    }

    @Test(arguments: [
        Condition(fields: ["If-None-Match: \"webp\""], status: 304),
        Condition(fields: ["If-None-Match: \"jpeg\", W/\"webp\""], status: 304),
        Condition(fields: ["If-None-Match: *"], status: 304),
        Condition(fields: ["If-None-Match: \"jpeg\""], status: 200),
        Condition(fields: ["If-None-Match: \"avif\", junk"], status: 200),
        Condition(fields: ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], status: 304),
        Condition(fields: ["If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], status: 200),
        Condition(fields: ["Range: bytes=0-3"], status: 206),
        Condition(fields: ["Range: bytes=0-3", "If-Range: \"webp\""], status: 206),
        Condition(fields: ["Range: bytes=0-3", "If-Range: \"jpeg\""], status: 200),
        Condition(fields: ["Range: bytes=99999-"], status: 416),
    ])
    func `conditions are held against the client's own format, and every answer varies`(_ condition: Condition)
        async throws
    {
        try await withServer(Self.service()) { server in
            let client = try RawClient(port: server.port)
            // Another client's format is ready already; then the first answer fills the table, the second comes from it.
            #expect(try await client.get(Self.target)["ETag"] == "\"jpeg\"")
            for _ in 0..<2 {
                let response = try await client.get(Self.target, ["Accept: image/webp"] + condition.fields)
                #expect(response.status == condition.status)
                #expect(response["Vary"] == "Accept")
                if condition.status != 416 { #expect(response["ETag"] == "\"webp\"") }
                if condition.status == 206 { #expect(response.body == Array("webp".utf8)) }
            }
        }
    }

    @Test func `HEAD has the fields of GET, on a hit and on a miss, in every format`() async throws {
        for isHit in [true, false] {
            let service = Self.service()
            if !isHit {
                service.forgetAll()
                for (accept, format) in Self.pictures {
                    service.give(.rendition(Self.picture(format)), for: Self.request(accept))
                }
            }
            try await withServer(service) { server in
                let client = try RawClient(port: server.port)
                for (accept, format) in Self.pictures {
                    let head = try await client.get(Self.target, method: "HEAD", Self.fields(accept))
                    let get = try await client.get(Self.target, Self.fields(accept))
                    let names = ["Content-Length", "Content-Type", "ETag", "Vary", "Last-Modified", "Cache-Control"]
                    #expect(names.map { head[$0] } == names.map { get[$0] })
                    #expect(head["Content-Type"] == format.mediaType && head["Vary"] == "Accept")
                    #expect(head["Content-Length"] == String(get.body.count))
                }
            }
        }
    }

    @Test func `a placeholder and an old version vary as the picture would`() async throws {
        let service = FakeService()
        let stand = RenditionServerTests.picture(
            format: .webp,
            tag: nil,
            modified: nil,
            provenance: Provenance(.placeholder, cause: .originDown)
        )
        service.give(.placeholder(stand, cause: .originDown), for: Self.request("image/webp"))
        service.give(.stale(Self.picture(.jpeg), cause: .originDown), for: Self.request(nil))
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            let placeholder = try await client.get(Self.target, ["Accept: image/webp"])
            #expect(placeholder.status == 200 && placeholder["Cache-Control"] == "no-store")
            #expect(placeholder["Content-Type"] == "image/webp" && placeholder["Vary"] == "Accept")
            let old = try await client.get(Self.target)
            #expect(old.status == 200 && old["Content-Type"] == "image/jpeg" && old["Vary"] == "Accept")
        }
    }

    @Test(arguments: [
        (RenditionError.assetNotFound(channel: "photos", asset: "sub/harbour"), 404),
        (.render(.refused(.impossible("the crop leaves nothing of a picture of 40×30"))), 400),
        (.render(.overloaded(retryAfter: .seconds(3))), 503),
        (.origin(.unreachable(.resting(host: "cms", failures: 5, wait: .seconds(4)))), 503),
        (.cache(.system(SystemError("open", code: 13), path: "/secret")), 500),
    ])
    func `an error of a negotiated URL varies, and of a fixed one does not`(_ error: RenditionError, _ status: Int)
        async throws
    {
        let service = FakeService()
        let fixed = RenditionRequest(channel: "photos", asset: .id("sub/harbour"))
        for request in Self.pictures.map({ Self.request($0.accept) }) + [fixed] { service.fail(error, for: request) }
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            for (accept, _) in Self.pictures {
                let response = try await client.get(Self.target, Self.fields(accept))
                #expect(response.status == status && response["Vary"] == "Accept")
            }
            let response = try await client.get("/v1/photos/sub/harbour/native", ["Accept: image/webp"])
            #expect(response.status == status && response["Vary"] == nil)
        }
    }

    @Test func `who is sent away before the picture is looked for hears the same`() async throws {
        var channel = ChannelSettings(
            name: "blog",
            kind: .ocm(OCMSettings(url: "https://cms.example", channelToken: "0123456789abcdef"))
        )
        channel.access = .same
        let service = FakeService(channels: [channel])
        try await withServer(service, { $0.maxWaiting = 0 }) { server in
            let client = try RawClient(port: server.port)
            for (path, status) in [("blog", 403), ("nowhere", 404), ("blog", 503)] {
                let token = status == 503 ? ["channelToken: 0123456789abcdef"] : []
                for (form, vary) in [("image?format=auto", "Accept"), ("image.webp?format=auto", nil), ("native", nil)]
                {
                    let response = try await client.get("/v1/\(path)/a/\(form)", token)
                    #expect(response.status == status && response["Vary"] == vary, "\(path) \(form)")
                }
            }
        }
    }

    @Test(arguments: ["smart", "image?format=auto", "image?preferwebp=true", "image?format=smallest&width=50"])
    func `every way to leave the format open is negotiated, and a format in the path closes it`(_ form: String)
        async throws
    {
        let service = FakeService()
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            let open = try await client.get("/v1/photos/a/\(form)", ["Accept: image/webp"])
            #expect(open.status == 404 && open["Vary"] == "Accept")
            let parts = form.split(separator: "?", maxSplits: 1)
            let query = parts.count > 1 ? "?\(parts[1])" : ""
            let closed = try await client.get("/v1/photos/a/\(parts[0]).png\(query)", ["Accept: image/webp"])
            #expect(closed.status == 404 && closed["Vary"] == nil)
            let transforms = service.asked.compactMap { request -> Transform? in
                if case .transform(let transform) = request.selection { transform } else { nil }
            }
            #expect(transforms.count == 2 && transforms.allSatisfy { !$0.isNegotiated })
            #expect(transforms.last?.format == .fixed(.png))
        }
    }
}

/// As much of a shared cache as has to do with `Vary` (RFC 9111 §4.1): it keeps every 200 and asks on for the rest.
private struct PlainCache {
    private let port: Int
    private var stored: [String: [(selecting: [String: String?], response: RawClient.Response)]] = [:]
    private(set) var forwarded: [String: Int] = [:]

    init(port: Int) { self.port = port }

    mutating func get(_ target: String, _ accept: String?) async throws -> RawClient.Response {
        let fields = ["accept": accept]
        for (selecting, response) in stored[target] ?? []
        where selecting.allSatisfy({ fields[$0.key] ?? nil == $0.value }) {
            return response
        }
        forwarded[target, default: 0] += 1
        let response = try await RawClient(port: port).get(target, accept.map { ["Accept: \($0)"] } ?? [])
        let names = (response["Vary"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        let selecting = Dictionary(uniqueKeysWithValues: names.map { ($0, fields[$0] ?? nil) })
        if response.status == 200 { stored[target, default: []].append((selecting, response)) }
        return response
    }
}
