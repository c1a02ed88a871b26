import RenditionCache
import TestSupport
import Testing

@testable import RenditionServer

@Suite struct HealthCheckTests {
    @Test func `metrics are Prometheus text with every counter and the cache's gauges`() async throws {
        let service = FakeService()
        service.keep(picture(), for: RenditionRequest(channel: "photos", asset: .id("a")))
        try await withServer(service) { server in
            let client = try RawClient(port: server.port)
            for _ in 0..<3 { _ = try await client.get("/v1/photos/a/native") }
            _ = try await client.get("/v1/photos/a/native", ["If-None-Match: *"])
            _ = try await client.get("/nothing")
            let response = try await client.get("/metrics")
            #expect(response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = response.text.split(separator: "\n").map(String.init)
            for counter in Metrics.Counter.allCases {
                #expect(lines.contains { $0.hasPrefix("rcache_\(counter.rawValue)_total ") }, "\(counter)")
                #expect(lines.contains("# TYPE rcache_\(counter.rawValue)_total counter"))
            }
            #expect(lines.contains("rcache_requests_total 5"))
            #expect(lines.contains("rcache_response_bytes_total 30720"))
            #expect(lines.contains("rcache_not_modified_total 1"))
            #expect(lines.contains("rcache_client_errors_total 1"))
            #expect(lines.contains("rcache_cache_entries 3"))
            #expect(lines.contains("rcache_waiting_requests 1"))
            let form = "{channel=\"photos\",form=\"Medium\",media_type=\"image/jpeg\"}"
            #expect(lines.contains("rcache_cache_form_bytes\(form) 12345"))
            // Each family is announced once, help before type before values.
            let families = lines.filter { $0.hasPrefix("# TYPE") }
            #expect(Set(families).count == families.count)
        }
    }

    @Test func `alive is alive`() async throws {
        try await withServer(FakeService()) { server in
            let response = try await get("/healthz", port: server.port)
            #expect(response.status == 200)
            #expect(response.text == "ok\n")
            #expect(response["Cache-Control"] == "no-store")
        }
    }
}
