import Synchronization
import TestSupport
import Testing

@testable import RenditionCache

/// Marks end to end: a scripted image host, the service, real render workers.
@Suite(.timeLimit(.minutes(2))) struct MarkServiceTests {
    /// An image host whose files a test exchanges.
    private final class ImageHost: Sendable {
        private final class Files: Sendable {
            let answers = Mutex<[String: LoopbackOrigin.Response]>([:])
        }

        private let files = Files()
        let server: LoopbackOrigin

        init() throws {
            let files = files
            server = try LoopbackOrigin { request in files.answers.withLock { $0[request.path] } ?? .init(404) }
        }

        func put(_ name: String, _ picture: [UInt8]) { answer(name, .init(type: "image/png", body: picture)) }

        func answer(_ name: String, _ response: LoopbackOrigin.Response?) {
            files.answers.withLock { $0["/assets/s/m/\(name)"] = response }
        }

        func hits(_ name: String) -> Int { server.hits("/assets/s/m/\(name)") }
    }

    private static let red = [200, 0, 0]
    private static let green = [0, 150, 0]

    /// White, with a rectangle of another colour.
    private static func page(_ colour: [Int], _ left: Int, _ top: Int, _ width: Int, _ height: Int) -> [UInt8] {
        TestPNG(40, 30) { x, y in
            (left..<left + width).contains(x) && (top..<top + height).contains(y) ? colour : [255, 255, 250]
        }.bytes
    }

    private static func solid(_ width: Int, _ height: Int, _ colour: [Int]) -> [UInt8] {
        TestPNG(width, height) { _, _ in colour }.bytes
    }

    /// The host with a page of 40×30 pixels, and a red logo of 10×8.
    private static func host() throws -> ImageHost {
        let host = try ImageHost()
        host.put("page.png", page(red, 0, 0, 0, 0))
        host.put("logo.png", solid(10, 8, red))
        return host
    }

    private static func service(_ host: ImageHost, _ change: (inout ChannelSettings) -> Void = { _ in }) async throws
        -> TestService
    {
        var settings = MicroCMSSettings(url: "http://127.0.0.1:9", apiKey: "s3cret-api-key")
        settings.imageHosts = [host.server.url]
        var channel = ChannelSettings(name: "news", kind: .microcms(settings))
        channel.staleWhileRevalidate = .zero
        change(&channel)
        return try await TestService([channel])
    }

    private static func request(_ query: String, _ name: String = "page.png") throws -> RenditionRequest {
        let transform = try TransformDialect.microcms.transform(query: "fm=png&" + query)
        return RenditionRequest(channel: "news", asset: .id("s/m/\(name)"), selection: .transform(transform))
    }

    private static func encoded(_ url: String) -> String { PercentEncoding.encode(url, keeping: "") }

    private static func mark(_ host: ImageHost, _ rest: String = "") -> String {
        "mark=" + encoded("\(host.server.url)/assets/s/m/logo.png") + rest
    }

    /// What comes of a request; a rendition, or the test fails.
    private func rendition(_ test: TestService, _ query: String) async throws -> Rendition {
        let outcome = try await test.service.rendition(for: Self.request(query))
        #expect(outcome.summary == "rendition")
        return outcome.rendition
    }

    /// The digest of this picture, which the host gets as a file of its own, made anew without any mark.
    private func digest(_ test: TestService, _ host: ImageHost, of picture: [UInt8]) async throws -> Digest {
        let name = "expected\(Digest(of: picture).description.prefix(8)).png"
        host.put(name, picture)
        return try await test.service.rendition(for: Self.request("", name)).rendition.digest
    }

    @Test func `a mark from the channel's image host is laid over the picture, fetched once, without a key`()
        async throws
    {
        let host = try Self.host()
        let test = try await Self.service(host)
        let expected = try await digest(test, host, of: Self.page(Self.red, 25, 17, 10, 8))
        let query = Self.mark(host)
        #expect(test.service.cached(try Self.request(query)) == nil)
        let marked = try await rendition(test, query)
        #expect(marked.digest == expected && marked.lifetimeSeconds == 900)
        let hit = try #require(test.service.cached(try Self.request(query)))
        #expect(hit.digest == expected && hit.entityTag == marked.entityTag)
        #expect(try test.service.explain(Self.request(query)).verdict == .hit)
        #expect(try await test.service.offlineRendition(for: Self.request(query)).rendition.digest == expected)
        #expect(try await rendition(test, query + "&mark-align=top,left").digest != expected)
        let plain = try await rendition(test, "")
        #expect(plain.digest != expected && plain.entityTag != marked.entityTag)
        #expect(host.hits("logo.png") == 1 && host.hits("page.png") == 1)
        #expect(host.server.requests.allSatisfy { $0["X-MICROCMS-API-KEY"] == nil })
        await test.service.shutDown()
    }

    @Test func `a mark may be a base64 twin, and a rendition of its own`() async throws {
        let host = try Self.host()
        let test = try await Self.service(host)
        let small = try await digest(test, host, of: Self.page(Self.red, 30, 21, 5, 4))
        let nested = Self.encoded("?w=5&fm=png&mark=" + Self.encoded("\(host.server.url)/assets/s/m/page.png"))
        #expect(try await rendition(test, Self.mark(host) + nested).digest == small)
        let twin = Base64URL.text("\(host.server.url)/assets/s/m/logo.png")
        let whole = try await rendition(test, Self.mark(host))
        #expect(try await rendition(test, "mark64=\(twin)").entityTag == whole.entityTag)
        #expect(host.hits("logo.png") == 1)
        await test.service.shutDown()
    }

    @Test(arguments: [
        "http://127.0.0.1:{port}/assets/s/m/logo.png", "http://localhost:{port}/assets/s/m/logo.png",
        "http://127.0.0.1:{port}/latest/meta-data", "http://[::1]:{port}/assets/s/m/logo.png",
        "http://2130706433:{port}/assets/s/m/logo.png", "https://images.microcms-assets.io.example/assets/s/m/logo.png",
        "http://u:p@127.0.0.1:{port}/assets/s/m/logo.png", "{host}/other/logo.png", "{host}/assets/s/m/../../logo.png",
    ])
    func `a mark from anywhere else is left out, and nobody is asked for it`(_ url: String) async throws {
        let host = try Self.host()
        let inside = try LoopbackOrigin { _ in .init(type: "image/png", body: Self.solid(10, 8, Self.red)) }
        // Not even where content may lead to.
        let test = try await Self.service(host) { $0.allow = ["127.0.0.1", "localhost"] }
        let address = url.replacing("{port}", with: "\(inside.port)").replacing("{host}", with: host.server.url)
        let plain = try await rendition(test, "")
        let asked = try await rendition(test, "mark=" + Self.encoded(address))
        #expect(asked.digest == plain.digest)
        #expect(inside.requests.isEmpty && inside.connections == 0)
        #expect(Set(host.server.requests.map(\.path)) == ["/assets/s/m/page.png"])
        await test.service.shutDown()
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: LoopbackOrigin.Response?
    }

    @Test(arguments: [
        Failure(testDescription: "404", answer: nil),
        Failure(testDescription: "503", answer: .init(503)),
        Failure(testDescription: "a page", answer: .init(type: "text/html", body: "<!DOCTYPE html><p>Sign in".utf8)),
        Failure(testDescription: "a page called PNG", answer: .init(type: "image/png", body: "<html>Sign in".utf8)),
        Failure(testDescription: "cut", answer: .init(type: "image/png", body: solid(10, 8, red)).cut(after: 100)),
        Failure(
            testDescription: "too many pixels",
            answer: .init(type: "image/png", body: TestPNG.promising(20_000, 20_000))
        ),
        Failure(testDescription: "no pixels", answer: .init(type: "image/png", body: TestPNG.promising(500, 400))),
    ])
    func `a mark that cannot be had is left out for a minute, and comes back`(_ failure: Failure) async throws {
        let host = try Self.host()
        let test = try await Self.service(host)
        host.answer("logo.png", failure.answer)
        let plain = try await rendition(test, "")
        let lacking = try await rendition(test, Self.mark(host))
        #expect(lacking.digest == plain.digest && lacking.lifetimeSeconds <= 60, "not for as long as with its mark")
        #expect(test.service.cached(try Self.request(Self.mark(host))) == nil, "not stored as if it had it")
        let asked = host.hits("logo.png")
        #expect(try await rendition(test, Self.mark(host)).digest == plain.digest)
        #expect(host.hits("logo.png") == asked, "a storm of requests asks once")
        host.put("logo.png", Self.solid(10, 8, Self.red))
        test.advance(1000)
        let marked = try await rendition(test, Self.mark(host))
        #expect(try await marked.digest == digest(test, host, of: Self.page(Self.red, 25, 17, 10, 8)))
        #expect(marked.lifetimeSeconds == 900)
        await test.service.shutDown()
    }

    @Test func `a changed mark makes a new rendition, and a host that is down leaves the last good one`() async throws {
        let host = try Self.host()
        let test = try await Self.service(host)
        let first = try await rendition(test, Self.mark(host))
        host.put("logo.png", Self.solid(10, 8, Self.green))
        #expect(try await rendition(test, Self.mark(host)).digest == first.digest, "known and fresh")
        test.advance(901)
        let second = try await rendition(test, Self.mark(host))
        #expect(try await second.digest == digest(test, host, of: Self.page(Self.green, 25, 17, 10, 8)))
        #expect(second.entityTag != first.entityTag)
        test.advance(901)
        host.answer("logo.png", .init(503))
        #expect(try await rendition(test, Self.mark(host)).digest == second.digest)
        test.advance(901)
        host.answer("logo.png", nil)
        let plain = try await rendition(test, "")
        #expect(try await rendition(test, Self.mark(host)).digest == plain.digest, "the host says that it is gone")
        await test.service.shutDown()
    }

    @Test func `a mark that is due for a check delays nobody`() async throws {
        let host = try Self.host()
        let test = try await Self.service(host) { $0.staleWhileRevalidate = .seconds(86_400) }
        let first = try await rendition(test, Self.mark(host))
        test.advance(901)
        let gate = Gate()
        var held = LoopbackOrigin.Response(type: "image/png", body: Self.solid(10, 8, Self.green))
        held.gate = gate
        host.answer("logo.png", held)
        #expect(try await rendition(test, Self.mark(host)).digest == first.digest)
        gate.open()
        await test.service.shutDown()
    }
}

/// What base64 twins are written in (RFC 4648 §5).
private enum Base64URL {
    static func text(_ plain: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let bits = plain.utf8.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
        return String(
            stride(from: 0, to: bits.count, by: 6).map { start in
                digits[(0..<6).reduce(0) { $0 << 1 | (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }]
            }
        )
    }
}
