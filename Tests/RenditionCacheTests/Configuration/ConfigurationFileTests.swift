import TestSupport
import Testing

@testable import RenditionCache

@Suite struct ConfigurationFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func issues(_ file: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try Configuration.read(file: file) { _ in nil }
            return []
        } catch {
            return error.issues.map { $0.description.replacing(folder.path, with: "") }
        }
    }

    @Test func `paths are relative to the file`() throws {
        let file = try folder.write("{channels: {a: {kind: 'folder', path: './x//y'}}}".utf8, to: "rcache.json")
        let configuration = try Configuration.read(file: file)
        #expect(configuration.cache.directory == folder.file("cache"))
        #expect(configuration.channels.first?.kind == .folder(path: folder.file("x/y")))
    }

    @Test func `the credentials of a sample app are taken as they are`() throws {
        try folder.write(
            #"{"url": "https://Blog.example/", "channelToken": "0a1b", "more": 1}"#.utf8,
            to: "credentials.json"
        )
        let file = try folder.write(
            "{channels: {a: {kind: 'ocm', credentials: 'credentials.json'}}}".utf8,
            to: "rcache.json"
        )
        let configuration = try Configuration.read(file: file)
        #expect(
            configuration.channels.first?.kind == .ocm(OCMSettings(url: "https://blog.example", channelToken: "0a1b"))
        )
    }

    @Test(arguments: [
        ("{\"url\": \"https://h\"", ["/credentials.json:1:20: expected \",\" or \"}\", found the end"]),
        ("[]", ["/credentials.json:1:1: expected an object with \"url\" and \"channelToken\""]),
        ("{}", ["/credentials.json:1:1: no key \"url\"", "/credentials.json:1:1: no key \"channelToken\""]),
        ("{url: 'https://h', channelToken: 5}", ["/credentials.json:1:34: \"channelToken\" is no text"]),
        ("{url: 'h', channelToken: 'x'}", ["/credentials.json:1:7: the URL has no scheme; write it as https://host"]),
    ])
    func `mistakes in the credentials are named in their own file`(_ credentials: String, _ expected: [String]) throws {
        try folder.write(credentials.utf8, to: "credentials.json")
        let file = try folder.write(
            "{channels: {a: {kind: 'ocm', credentials: 'credentials.json'}}}".utf8,
            to: "rcache.json"
        )
        #expect(issues(file) == expected)
    }

    @Test func `a file that is missing, too long or not UTF-8 is refused`() throws {
        #expect(issues(folder.file("none.json")) == ["/none.json: cannot be read (open: No such file or directory)"])
        let long = try folder.write([UInt8](repeating: 0x20, count: 1_000_001), to: "long.json")
        #expect(issues(long) == ["/long.json: is longer than 1.0 MB"])
        let latin = try folder.write(Array("{\n// caf".utf8) + [0xE9, 0x0A], to: "latin.json")
        #expect(issues(latin) == ["/latin.json:2:7: this byte is not UTF-8"])
    }

    @Test func `a folder needs no file: its name is the channel, its real path decides the cache`() throws {
        let environment: @Sendable (String) -> String? = { $0 == "HOME" ? "/home/me" : nil }
        try folder.write([], to: "My Pictures/x")
        let configuration = Configuration.folder(folder.file("My Pictures/"), environment: environment)
        try configuration.validate()
        let channel = try #require(configuration.channels.first)
        #expect(channel.name == "My-Pictures")
        #expect(channel.kind == .folder(path: folder.file("My Pictures")))
        let pattern = /\/home\/me\/.cache\/rcache\/My-Pictures-[0-9a-f]{8}/
        #expect(configuration.cache.directory.wholeMatch(of: pattern) != nil)
        let again = Configuration.folder(folder.file("./My Pictures/../My Pictures"), environment: environment)
        #expect(again == configuration)
    }

    @Test(arguments: [
        (["XDG_CACHE_HOME": "/x/", "HOME": "/h"], "/x/rcache/"),
        (["XDG_CACHE_HOME": "x", "HOME": "/h"], "/h/.cache/rcache/"),
        (["HOME": "/h"], "/h/.cache/rcache/"),
    ])
    func `the cache of a folder is where the desktop keeps caches`(_ variables: [String: String], _ start: String) {
        let configuration = Configuration.folder("/p") { variables[$0] }
        #expect(configuration.cache.directory.hasPrefix(start))
    }

    @Test(arguments: [
        ("/a/photos", "photos"), ("/a/été 1", "-t--1"), ("/", "folder"), ("/a/...", "folder"), ("/.hidden", "hidden"),
        ("/日本", "folder"),
    ])
    func `a folder's name becomes a channel's`(_ path: String, _ name: String) {
        #expect(Configuration.channelName(ofFolder: path) == name)
        #expect(isPlainName(name))
    }

    @Test func `a configuration put together in code is checked as a file is`() throws {
        var configuration = Configuration()
        configuration.fetch.perHost = 0
        let channel = ChannelSettings(name: "a", kind: .ocm(OCMSettings(url: "h")))
        configuration.channels = [channel, channel]
        let error = try #require(throws: ConfigurationError.self) { try configuration.validate() }
        #expect(
            error.description == """
                fetch.perHost: perHost is 0 and may be 1…256
                channels.a.url: the URL has no scheme; write it as https://host
                channels.a.url: the URL has no scheme; write it as https://host
                channels.a: two channels have this name
                """
        )
    }
}
