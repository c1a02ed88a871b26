import Foundation
import RenditionCache
import TestSupport
import Testing

@testable import rcache

/// What `get` and `explain` make of addresses of microCMS and of web servers, and the channels that `init` writes for them.
@Suite struct WebAddressTests {
    private static var channels: [ChannelSettings] {
        var news = ChannelSettings(name: "news", kind: .microcms(MicroCMSSettings(url: "https://example.microcms.io")))
        news.allow = ["photos.example.org"]
        return [
            news, ChannelSettings(name: "site", kind: .http(HTTPSettings(url: "https://img.example.com/pics/"))),
            ChannelSettings(name: "blog", kind: .ocm(OCMSettings(url: "https://cms.example", channelToken: "t0ken"))),
        ]
    }

    struct Address: Sendable, CustomTestStringConvertible {
        let text: String
        let channel: String
        let id: String
        let rendition: String?
        var testDescription: String { text }
    }

    @Test(arguments: [
        Address(
            text: "https://images.microcms-assets.io/assets/s/m/a%20b.jpg?w=640&fm=webp#x",
            channel: "news",
            id: "s/m/a b.jpg",
            rendition: "w=640&fm=webp"
        ),
        Address(
            text: "https://images.microcms-assets.io/assets/s/m/a.jpg",
            channel: "news",
            id: "s/m/a.jpg",
            rendition: "native"
        ),
        Address(
            text: "https://photos.example.org/x/a.jpg",
            channel: "news",
            id: "photos.example.org/x/a.jpg",
            rendition: "native"
        ),
        Address(text: "https://img.example.com/pics/p?id=5", channel: "site", id: "p?id=5", rendition: "native"),
        Address(text: "https://img.example.com/pics/100%25.jpg", channel: "site", id: "100%.jpg", rendition: "native"),
    ])
    func `a URL names channel, picture and form`(_ address: Address) throws {
        let target = try AssetTarget(address.text, channels: Self.channels)
        #expect(target.candidates == [.init(channel: address.channel, reference: .id(address.id))])
        #expect(target.rendition == address.rendition)
    }

    @Test func `a path is a picture's name too, and any other text is what it is`() throws {
        let path = try AssetTarget("/assets/s/m/a%20b.jpg", channels: Array(Self.channels.prefix(1)))
        #expect(path.candidates == [.init(channel: "news", reference: .id("s/m/a b.jpg"))] && path.rendition == nil)
        let sized = try AssetTarget("/assets/s/m/a.jpg?w=640&fm=webp#x", channels: Array(Self.channels.prefix(1)))
        #expect(sized.candidates == [.init(channel: "news", reference: .id("s/m/a.jpg"))])
        #expect(sized.rendition == "w=640&fm=webp")
        let name = try AssetTarget("a b.jpg", channels: Array(Self.channels.prefix(2)))
        #expect(name.candidates == ["news", "site"].map { .init(channel: $0, reference: .id("a b.jpg")) })
    }

    @Test(arguments: [
        (
            "https://images.microcms-assets.io/x.jpg",
            "the URL is no picture of news; those are at https://images.microcms-assets.io/assets/…"
        ),
        (
            "https://img.example.com/other/a.jpg",
            "site has nothing but what is below https://img.example.com/pics/"
        ),
        ("https://else.example/a.jpg", "no channel of the configuration is at https://else.example"),
    ])
    func `a URL of no channel is refused, and where a channel has its pictures is said`(
        _ url: String,
        _ message: String
    ) {
        let failure = #expect(throws: Failure.self) { try AssetTarget(url, channels: Self.channels) }
        #expect(failure == .usage(message))
    }

    @Test func `the shared image host is proposed where a channel has another`() {
        var settings = MicroCMSSettings(url: "https://example.microcms.io")
        settings.imageHosts = ["media.example.com"]
        let channel = ChannelSettings(name: "news", kind: .microcms(settings))
        let failure = #expect(throws: Failure.self) {
            try AssetTarget("https://images.microcms-assets.io/assets/s/m/a.jpg", channels: [channel])
        }
        #expect(failure?.message.contains("add \"images.microcms-assets.io\" to \"imageHosts\" of news") == true)
    }

    // MARK: Lists

    @Test func `what is left out of a list is named up to a limit, each with its line`() {
        let one = ListCommand.leftOut(["urls.txt, line 7: https://x/a.jpg"], "not below https://img.example.com/")
        #expect(one == "1 is left out: not below https://img.example.com/\n  urls.txt, line 7: https://x/a.jpg")
        let many = ListCommand.leftOut((1...25).map { "line \($0)" }, "no URL").split(separator: "\n")
        #expect(many.count == 22)
        #expect(many.first == "25 are left out: no URL" && many.last == "  and 5 more")
    }

    @Test func `a check before the start finds that a list is not there`() async throws {
        let folder = try TemporaryFolder()
        let text = "{ channels: { site: { kind: 'http', url: 'https://img.example.com/', list: 'urls.txt' } } }"
        try text.write(toFile: folder.file("rcache.json"), atomically: true, encoding: .utf8)
        let missing = try await CommandRun(["serve", "--check"], in: folder.path)
        #expect(missing.status == 2)
        #expect(
            missing.messages.hasPrefix("rcache: the list of site cannot be read (open: No such file or directory): "),
            "\(missing.messages)"
        )
        try "a.jpg\n".write(toFile: folder.file("urls.txt"), atomically: true, encoding: .utf8)
        #expect(try await CommandRun(["serve", "--check"], in: folder.path).status == 0)
    }

    // MARK: Init

    struct Channel: Sendable, CustomTestStringConvertible {
        let words: [String]
        let name: String
        let text: String
        var testDescription: String { words.joined(separator: " ") }
    }

    @Test(arguments: [
        Channel(words: ["--microcms", "Example-1"], name: "example-1", text: "endpoints: []"),
        Channel(
            words: ["--microcms", "example", "--endpoint", "news", "--endpoint", "pages?depth=2", "--name", "news"],
            name: "news",
            text: #"endpoints: ["news", "pages?depth=2"]"#
        ),
        Channel(
            words: ["--http", "https://img.example.com/pics"],
            name: "img",
            text: #"url: "https://img.example.com/pics/""#
        ),
        Channel(
            words: ["--http", "http://127.0.0.1:80", "--list", "urls.txt"],
            name: "site",
            text: #"list: "urls.txt""#
        ),
        Channel(
            words: ["--http", "https://img.example.com", "--list", "https://example.com/sitemap.xml"],
            name: "img",
            text: #"list: "https://example.com/sitemap.xml""#
        ),
    ])
    func `init writes a channel that serve accepts`(_ channel: Channel) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(["init"] + channel.words, in: folder.path, environment: [:])
        #expect(run.status == 0, "\(run.messages)")
        let text = try String(contentsOfFile: folder.file("rcache.json"), encoding: .utf8)
        #expect(text.contains(channel.text))
        try "a.jpg\n".write(toFile: folder.file("urls.txt"), atomically: true, encoding: .utf8)
        let environment = ["MICROCMS_API_KEY": "s3cret"]
        let check = try await CommandRun(["serve", "--check"], in: folder.path, environment: environment)
        #expect(check.output.hasPrefix("the configuration is good: \(channel.name) on"), "\(check.messages)")
    }

    @Test(arguments: [
        (["--microcms", "a.b"], "--microcms takes the NAME in https://NAME.microcms.io, not \"a.b\""),
        (["--microcms", "a", "--http", "https://x"], "--microcms and --http: one channel at a time"),
        (["--http", "img.example.com"], "--http: the URL has no scheme; write it as https://host"),
        (["--endpoint", "news"], "--endpoint goes with --microcms"),
        (["--microcms", "a", "--list", "x"], "--list goes with --http"),
    ])
    func `init refuses what makes no channel`(words: [String], message: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(["init"] + words, in: folder.path, environment: [:])
        #expect(run.status == 2)
        #expect(run.messages.contains(message), "\(run.messages)")
    }
}
