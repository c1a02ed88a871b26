import RenditionCache
import TestSupport
import Testing

@testable import RenditionCache

@Suite struct AEMConfigFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> AEMConfigFile {
        try AEMConfigFile.read(file: try folder.write(text.utf8, to: "Config.xcconfig"))
    }

    private func issues(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch {
            let issues = (error as? ConfigurationError)?.issues ?? []
            return issues.map { $0.description.replacing(folder.path, with: "") }
        }
    }

    @Test(arguments: [
        ("Config.xcconfig", "https://publish-p123-e456.adobeaemcloud.com", OriginAuthentication.none),
        ("Config.rcache.xcconfig", "http://localhost:8080", .none),
        ("Config.author-basic.xcconfig", "http://localhost:4502", .basic(user: "admin", password: "admin")),
        (
            "Config.author-token.xcconfig", "https://author-p123-e456.adobeaemcloud.com",
            .bearer(token: "abcd0123")
        ),
    ])
    func `the app's file is taken as it is`(_ name: String, _ url: String, _ auth: OriginAuthentication) throws {
        let path = AEMFixtures.path(name)
        #expect(try AEMConfigFile.read(file: path) == AEMConfigFile(url: url, authentication: auth))
    }

    private static let base = "AEM_SCHEME = https\nAEM_HOST = h.example\n"

    @Test(arguments: [
        ("AEM_AUTH_TYPE = Basic\nAEM_USERNAME = u", OriginAuthentication.none), ("AEM_AUTH_TYPE =", .none),
        ("AEM_AUTH_TYPE = basic // c\r\nAEM_USERNAME=u", .basic(user: "u", password: "")),
        ("AEM_AUTH_TYPE = token\nAEM_TOKEN = a=b", .bearer(token: "a=b")),
        ("AEM_AUTH_TYPE = token\nAEM_TOKEN = a/$()/b", .bearer(token: "a//b")),
        ("T = x\nAEM_AUTH_TYPE = token\nAEM_TOKEN = $(T)${T}-$(NONE)$", .bearer(token: "xx-$")),
        ("AEM_AUTH_TYPE = token\nAEM_TOKEN = old\nAEM_TOKEN = new", .bearer(token: "new")),
        ("OTHER[sdk=iphoneos*] = 1\nAEM_AUTH_TYPE = none", .none),
        ("AEM_AUTH_TYPE = token\nA = $(B)x\nB = $(A)y\nAEM_TOKEN = $(A)", .bearer(token: "yx")),
    ])
    func `a credential is read as the app would`(_ text: String, _ expected: OriginAuthentication) throws {
        #expect(try read(Self.base + text) == AEMConfigFile(url: "https://h.example", authentication: expected))
    }

    @Test(arguments: [
        ("", ["1:1: no key \"AEM_SCHEME\"", "1:1: no key \"AEM_HOST\""]),
        ("AEM_SCHEME =\nAEM_HOST = h", ["1:13: no key \"AEM_SCHEME\""]),
        ("AEM_SCHEME = ftp\nAEM_HOST = h", ["1:14: AEM_SCHEME is http or https"]),
        (
            "AEM_SCHEME = https\n  AEM_HOST = https://h",
            [
                "2:14: AEM_HOST is a host, with a port or without, and nothing else: the URL has a port that is not in"
                    + " 1…65535"
            ]
        ),
        (
            "AEM_SCHEME = https\nAEM_HOST = h/path",
            [
                "2:12: AEM_HOST is a host, with a port or without, and nothing else: the URL has more than scheme, host"
                    + " and port"
            ]
        ),
        (
            "#include \"Secrets.xcconfig\"\n" + base,
            ["1:1: other files are not included; the AEM_… keys have to stand in this one"]
        ),
        (base + " #include? \"x\"", ["3:2: other files are not included; the AEM_… keys have to stand in this one"]),
        (
            base + "AEM_TOKEN[config=Debug] = secret",
            ["3:1: conditions in brackets are not understood; write the key without"]
        ),
        (base + "secret", ["3:1: expected NAME = value"]),
        (base + "= secret", ["3:1: expected NAME = value"]),
        (base + "AEM_AUTH_TYPE = basic", ["3:17: AEM_AUTH_TYPE is basic, which needs \"AEM_USERNAME\""]),
        (base + "AEM_AUTH_TYPE = token // x", ["3:17: AEM_AUTH_TYPE is token, which needs \"AEM_TOKEN\""]),
    ])
    func `a mistake is named where it stands`(_ text: String, _ expected: [String]) {
        #expect(issues(text) == expected.map { "/Config.xcconfig:\($0)" })
    }

    @Test func `no value is repeated in a message`() {
        let text = "AEM_SCHEME = secret1\nAEM_HOST = secret2:x\n#include \"secret3\"\nAEM_TOKEN[x] = secret4\nsecret5"
        #expect(issues(text).count == 4)
        #expect(!issues(text).joined().contains("secret"))
    }

    // MARK: In a channel

    private func channel(_ keys: String, _ config: String = base) throws -> ChannelSettings.Kind? {
        try folder.write(config.utf8, to: "Config.xcconfig")
        let file = try folder.write("{channels: {wknd: {kind: 'aem', \(keys)}}}".utf8, to: "rcache.json")
        return try Configuration.read(file: file).channels.first?.kind
    }

    private func aem(_ authentication: OriginAuthentication = .none, queries: [String] = []) -> ChannelSettings.Kind {
        var settings = AEMSettings(url: "https://h.example", queries: queries)
        settings.authentication = authentication
        return .aem(settings)
    }

    @Test func `a channel takes its URL and its credential from the file`() throws {
        let queries = ["wknd-shared/adventures-all;imageWidth=50"]
        let config = Self.base + "AEM_AUTH_TYPE = token\nAEM_TOKEN = abcd"
        let kind = try channel("xcconfig: 'Config.xcconfig', queries: ['\(queries[0])']", config)
        #expect(kind == aem(.bearer(token: "abcd"), queries: queries))
    }

    @Test(arguments: [
        "xcconfig: 'Config.xcconfig', auth: {type: 'none'}", "auth: {type: 'none'}, xcconfig: 'Config.xcconfig'",
    ])
    func `a channel's own credential counts more, wherever it stands`(_ keys: String) throws {
        #expect(try channel(keys, Self.base + "AEM_AUTH_TYPE = token\nAEM_TOKEN = abcd") == aem())
    }

    @Test(arguments: [
        (
            "xcconfig: 'Config.xcconfig', url: 'https://x'",
            "/rcache.json:1:13: \"url\" beside \"xcconfig\": leave one out"
        ),
        ("xcconfig: 'none'", "/none: cannot be read (open: No such file or directory)"),
        (
            "url: 'https://x', queries: ['a/b', 'adventures-all']",
            "/rcache.json:1:68: the query is not a configuration and a query, as in wknd-shared/adventures-all;imageWidth=50"
        ),
    ])
    func `a channel that contradicts itself is refused`(_ keys: String, _ message: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try channel(keys) }
        #expect(error.description.replacing(folder.path, with: "").hasSuffix(message))
    }
}
