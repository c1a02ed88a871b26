import RenditionCache
import Testing

@testable import RenditionCache

@Suite struct OriginPolicyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var url: String
        var address: String
        var isOwn: Bool
        var isPermitted: Bool
        var testDescription: String { "\(url) at \(address)" }
    }

    @Test(arguments: [
        Case(url: "https://cms.example.com/x", address: "10.0.0.5", isOwn: true, isPermitted: true),
        Case(url: "https://CMS.example.com:443/x", address: "127.0.0.1", isOwn: true, isPermitted: true),
        Case(url: "https://cms.example.com:8443/", address: "10.0.0.5", isOwn: false, isPermitted: false),
        Case(url: "http://cms.example.com/", address: "10.0.0.5", isOwn: false, isPermitted: false),
        Case(url: "https://a.cms.example.com/", address: "10.0.0.5", isOwn: false, isPermitted: false),
        Case(url: "https://elsewhere.example/", address: "93.184.216.34", isOwn: false, isPermitted: true),
        Case(url: "https://elsewhere.example/", address: "169.254.169.254", isOwn: false, isPermitted: false),
        Case(url: "https://elsewhere.example/", address: "::ffff:127.0.0.1", isOwn: false, isPermitted: false),
        Case(url: "https://elsewhere.example/", address: "192.168.7.7", isOwn: false, isPermitted: true),
        Case(url: "https://elsewhere.example/", address: "10.9.255.1", isOwn: false, isPermitted: true),
        Case(url: "https://elsewhere.example/", address: "10.8.0.1", isOwn: false, isPermitted: false),
        Case(url: "http://images.internal/", address: "172.16.0.1", isOwn: false, isPermitted: true),
        Case(url: "http://127.0.0.1:6379/", address: "127.0.0.1", isOwn: false, isPermitted: false),
    ]) func `each hop is judged by who it is and where it is`(_ test: Case) throws {
        let policy = OriginPolicy(
            origin: try #require(WebURL("https://cms.example.com")),
            allow: ["Images.internal", "192.168.7.7", "10.9.0.0/16"]
        )
        let url = try #require(WebURL(test.url))
        #expect(policy.isOwn(url) == test.isOwn)
        #expect(policy.permits(try #require(IPAddress(test.address)), for: url) == test.isPermitted)
    }
}
