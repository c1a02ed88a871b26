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
        let name = try AssetTarget("a b.jpg", channels: Array(Self.channels.prefix(2)))
        #expect(name.candidates == ["news", "site"].map { .init(channel: $0, reference: .id("a b.jpg")) })
    }

    @Test(arguments: [
        "https://images.microcms-assets.io/x.jpg", "https://img.example.com/other/a.jpg", "https://else.example/a.jpg",
    ])
    func `a URL of no channel is refused`(_ url: String) {
        #expect(throws: Failure.self) { try AssetTarget(url, channels: Self.channels) }
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
