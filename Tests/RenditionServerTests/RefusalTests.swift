import Foundation
import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

@Suite struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var request: String
        var status: Int
        var testDescription: String { String(request.prefix(60).filter { $0 != "\r" && $0 != "\n" }) }

        init(_ request: String, _ status: Int) {
            self.request = request
            self.status = status
        }
    }

    @Test(arguments: [
        Case("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        Case("GET /healthz HTTP/1.1\r\n\r\n", 400),
        Case("GET /healthz HTTP/1.1\r\nHost: a<b\r\n\r\n", 400),
        Case("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length : 30\r\n\r\n", 400),
        Case("GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
        Case("GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n", 400),
        Case("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n 5\r\n\r\n", 400),
        Case("GET /content/published/api/v1.1/items?orderBy=:;::;a:b:c; HTTP/1.1\r\nHost: a\r\n\r\n", 200),
        Case("GET http://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Case("GET /healthz#x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Case("GET healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Case(
            "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400
        ),
        Case("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", 413),
        Case("GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
        Case("POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", 405),
        Case("DELETE /v1/photos/a/native HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        Case("GET /\(String(repeating: "a", count: 8192)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        Case("GET /\(String(repeating: "a", count: 8191)) HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        Case("GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        Case("GET /healthz HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n", 431),
        Case("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        Case("GET /healthz HTTP/1.0\r\n\r\n", 200),
        Case("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 204),
        Case("GET /v1/photos/a/image?widht=3 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        Case("GET /v1/photos/../native HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        Case("GET /v1/photos/a%2Fb/native HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        Case("GET /v1/nowhere/a/native HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        Case("GET /v1/photos/a/native HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ])
    func `what must not be answered is refused with its status`(_ request: Case) async throws {
        try await withServer(FakeService()) { server in
            let client = try RawClient(port: server.port)
            client.send(request.request)
            let response = try await client.response()
            #expect(response.status == request.status)
            if [405, 204].contains(response.status) { #expect(response["Allow"] == "GET, HEAD, OPTIONS") }
        }
    }

    @Test func `after a request that two parsers read differently the connection ends`() async throws {
        let service = FakeService()
        let request =
            "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            client.send(request + "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().status == 400)
            #expect(try await client.isClosed())
            #expect(service.metrics[.requests] == 1)
        }
    }

    @Test func `raw spaces and quotes in a target are read as OCM's callers mean them`() async throws {
        let service = FakeService()
        service.setAssets([Asset(id: "a", slug: "a", name: "a.jpg", path: "a.jpg")])
        let id = PublishedID.ocm(channel: "photos", path: "a.jpg")
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            client.send(
                "GET /content/published/api/v1.1/items?q=id eq \"\(id)\"&totalResults=true HTTP/1.1\r\nHost: a\r\n\r\n"
            )
            let response = try await client.response()
            #expect(response.status == 200)
            #expect(try response.json()["totalResults"] as? Int == 1)
        }
    }

    struct Failing: Sendable, CustomTestStringConvertible {
        var error: RenditionError
        var status: Int
        var testDescription: String { "\(status)" }
    }

    @Test(arguments: [
        Failing(error: .unknownChannel("secret", known: ["blog"]), status: 404),
        Failing(error: .assetNotFound(channel: "c", asset: "CORE1"), status: 404),
        Failing(error: .origin(.forbidden(host: "cms.internal", status: 401, detail: "secret")), status: 502),
        Failing(
            error: .origin(.unreachable(.timedOut(host: "cms.internal", phase: "total", after: .seconds(1)))),
            status: 504
        ),
        Failing(error: .origin(.busy(host: "cms.internal", status: 503, retryAfter: .milliseconds(1500))), status: 503),
        Failing(error: .origin(.folderMissing("/secret", SystemError("open", code: 2))), status: 503),
        Failing(error: .cache(.system(SystemError("open", code: 13), path: "/secret")), status: 500),
        Failing(error: .render(.overloaded(retryAfter: .seconds(3))), status: 503),
        Failing(error: .render(.refused(.undecodable(format: .png, hint: "secret"))), status: 422),
        Failing(error: .render(.refused(.impossible("the crop leaves nothing of a picture of 40×30"))), status: 400),
        Failing(error: .render(.refused(.tooLarge(what: "output edge", value: 9000, limit: 8192))), status: 400),
        Failing(error: .render(.refused(.tooLarge(what: "source pixels", value: 2, limit: 1))), status: 422),
        Failing(
            error: .origin(.unreachable(.resting(host: "cms.internal", failures: 5, wait: .milliseconds(4200)))),
            status: 503
        ),
        Failing(error: .origin(.unreachable(.resting(host: "cms.internal", failures: 6, wait: .zero))), status: 503),
        Failing(error: .render(.cannotStart(path: "/secret", reason: "secret")), status: 500),
    ])
    func `an error has a status and says nothing of the inside`(_ failing: Failing) {
        for surface in [SurfaceKind.own, .ocm] {
            let answer = ErrorResponse.answer(.rendition(failing.error), surface: surface)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == failing.status)
            #expect(!text.contains("secret") && !text.contains("internal"))
            let wait = answer.fields.first { $0.name == "Retry-After" }?.value
            #expect((wait != nil) == (failing.status == 503))
        }
    }

    @Test func `a wait is rounded up to whole seconds`() {
        let busy = Refusal.rendition(.origin(.busy(host: "h", status: 503, retryAfter: .milliseconds(1500))))
        #expect(ErrorResponse.verdict(busy).retryAfter == 2)
        let resting = FetchError.resting(host: "h", failures: 5, wait: .milliseconds(4200))
        #expect(ErrorResponse.verdict(.rendition(.origin(.unreachable(resting)))).retryAfter == 5)
    }

    @Test func `who asks for what cannot be made hears why`() {
        let refusal = RenderRefusal.tooLarge(what: "output edge", value: 9000, limit: 8192)
        let verdict = ErrorResponse.verdict(.rendition(.render(.refused(refusal))))
        #expect(verdict.detail == "output edge 9000 passes the limit of 8192")
    }
}
