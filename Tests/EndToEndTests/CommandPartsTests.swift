import Foundation
import RenditionCache
import Synchronization
import TestSupport
import Testing

@testable import rcache

@Suite struct CommandPartsTests {
    // MARK: - Arguments

    private static let options = [
        Option(name: "width", value: "N", help: ""), Option(name: "output", letter: "o", value: "FILE", help: ""),
        Option(name: "name", value: "NAME", help: "", isRepeatable: true), Option(name: "json", help: ""),
    ]

    @Test func `options stand anywhere, with the value attached or in the next word, until two dashes`() throws {
        let words = ["a", "--width=5", "-", "--name", "x=y", "--json", "-ofile", "--name=", "b", "--", "--json", "-o"]
        let arguments = try Arguments(words, options: Self.options)
        #expect(arguments.operands == ["a", "-", "b", "--json", "-o"])
        #expect(arguments["width"] == "5")
        #expect(arguments.all("name") == ["x=y", ""])
        #expect(arguments["output"] == "file")
        #expect(arguments.has("json"))
        #expect(!arguments.has("help"))
        #expect(try Arguments(["-o", "-"], options: Self.options)["output"] == "-")
    }

    // MARK: - Targets

    private static let token = "0123456789abcdef0123456789abcdef"
    private static let id = "CONT0123456789ABCDEF0123456789ABCDEF"
    private static var channels: [ChannelSettings] {
        [
            ChannelSettings(name: "photos", kind: .folder(path: "/p")),
            ChannelSettings(name: "blog", kind: .ocm(OCMSettings(url: "https://cms.example", channelToken: token))),
            ChannelSettings(name: "news", kind: .ocm(OCMSettings(url: "https://cms.example", channelToken: "other"))),
        ]
    }

    @Test func `an id is looked for in every channel, and a slug by both names where there are slugs`() throws {
        let byID = try AssetTarget(Self.id, channels: Self.channels)
        #expect(byID.candidates.map(\.channel) == ["photos", "blog", "news"])
        #expect(byID.candidates.allSatisfy { $0.reference == .id(Self.id) })
        let bySlug = try AssetTarget("my/beach", channels: Array(Self.channels.prefix(2)))
        #expect(bySlug.candidates.map(\.channel) == ["photos", "blog", "blog"])
        #expect(bySlug.candidates.map(\.reference) == [.id("my/beach"), .slug("my/beach"), .id("my/beach")])
        #expect(bySlug.rendition == nil)
    }

    struct Address: Sendable, CustomTestStringConvertible {
        var path: String
        var reference: AssetReference
        var rendition: String
        var testDescription: String { path }
    }

    private static let api = "/content/published/api/v1.1"

    @Test(arguments: [
        Address(path: "\(api)/assets/\(id)/native?channelToken=\(token)", reference: .id(id), rendition: "native"),
        Address(
            path: "\(api)/assets/\(id)/native/a%20b.jpg?channelToken=\(token)",
            reference: .id(id),
            rendition: "native"
        ),
        Address(
            path: "\(api)/assets/\(id)/Medium/a.jpg?format=webp&type=responsiveimage&channelToken=\(token)#x",
            reference: .id(id),
            rendition: "Medium.webp"
        ),
        Address(path: "\(api)/assets/\(id)/Wide?channelToken=\(token)", reference: .id(id), rendition: "Wide"),
        Address(
            path: "\(api)/assets/\(id)/thumbnail?type=uithumbnail&channelToken=\(token)",
            reference: .id(id),
            rendition: "Thumbnail"
        ),
        Address(
            path: "\(api)/assets/.by.slug/a%2Fb/Small?channelToken=\(token)",
            reference: .slug("a/b"),
            rendition: "Small"
        ),
        Address(
            path: "/content/assets/171-beach/native?channelToken=\(token)",
            reference: .slug("171-beach"),
            rendition: "native"
        ),
        Address(path: "\(api)/items/\(id)?channelToken=\(token)", reference: .id(id), rendition: "native"),
        Address(
            path: "\(api)/items/.by.slug/home?channelToken=\(token)",
            reference: .slug("home"),
            rendition: "native"
        ),
    ])
    func `a URL of the CMS names channel, asset and form`(_ address: Address) throws {
        let target = try AssetTarget("https://CMS.example:443\(address.path)", channels: Self.channels)
        #expect(target.candidates == [AssetTarget.Candidate(channel: "blog", reference: address.reference)])
        #expect(target.rendition == address.rendition)
    }

    @Test(arguments: [
        ("http://cms.example\(api)/assets/x/native", "no channel of the configuration is at http://cms.example"),
        ("https://cms.example/documents/x", "the URL's path \"/documents/x\" is no asset, item or rendition of OCM"),
        (
            "https://cms.example\(api)/assets/x",
            "the URL's path \"\(api)/assets/x\" is no asset, item or rendition of OCM"
        ),
        (
            "https://cms.example\(api)/assets/x/a/b/c",
            "the URL's path \"\(api)/assets/x/a/b/c\" is no asset, item or rendition of OCM"
        ),
        ("https://u:p@cms.example/", "the URL has a user name or password; use \"auth\" for them"),
    ])
    func `other URLs are refused`(_ url: String, _ message: String) throws {
        let failure = try #require(throws: Failure.self) { try AssetTarget(url, channels: Self.channels) }
        #expect(failure == .usage(message))
    }

    // MARK: - Forms

    struct Form: Sendable, CustomTestStringConvertible {
        var words: SelectionOptions.Words
        var selection: RenditionRequest.Selection
        var nativeFormat: ImageFormat?
        var testDescription: String { "\(words)" }

        init(
            _ rendition: String = "native",
            _ transform: String? = nil,
            parameters: [(name: String, value: String)] = [],
            output: String? = nil,
            is selection: RenditionRequest.Selection,
            nativeFormat: ImageFormat? = nil
        ) {
            words = .init(rendition: rendition, transform: transform, parameters: parameters, output: output)
            (self.selection, self.nativeFormat) = (selection, nativeFormat)
        }
    }

    private static let presets = [
        "hero": Transform(resize: .inside(width: 1600, height: nil), format: .fixed(.webp), quality: 80)
    ]

    @Test(arguments: [
        Form(is: .native), Form(output: "dir.d/x", is: .native),
        Form(output: "x.jpg", is: .native, nativeFormat: .jpeg),
        Form(output: "x.heic", is: .native, nativeFormat: .heic), Form(output: "x.bin", is: .native),
        Form(parameters: [("format", "webp")], output: "X.WEBP", is: .native, nativeFormat: .webp),
        Form(parameters: [("format", "source")], output: "x.png", is: .native, nativeFormat: .png),
        Form(
            parameters: [("width", "640")],
            output: "x.jpg",
            is: .transform(Transform(resize: .inside(width: 640, height: nil), format: .fixed(.jpeg)))
        ),
        Form(parameters: [("quality", "5")], is: .transform(Transform(quality: 5))),
        Form("medium", is: .named("Medium", format: nil)),
        Form("MEDIUM", output: "x.jpeg", is: .named("Medium", format: .jpeg)),
        Form("Medium.webp", output: "x.webp", is: .named("Medium", format: .webp)),
        Form(
            "Medium",
            parameters: [("quality", "50")],
            is: .transform(Transform(resize: .automatic(width: 1024), quality: 50))
        ),
        Form(
            "Medium.png",
            "width=640",
            is: .transform(Transform(resize: .inside(width: 640, height: nil), format: .fixed(.png)))
        ),
        Form("Small", "height=100", is: .transform(Transform(resize: .inside(width: 300, height: 100)))),
        Form("Small", "width=4000", is: .transform(Transform(resize: .inside(width: 300, height: nil)))),
        Form("Wide", output: "x.gif", is: .named("Wide", format: .gif)),
        Form("Medium", parameters: [("format", "png")], output: "x.tmp", is: .named("Medium", format: .png)),
        Form("Medium", output: "/a.b/.hidden", is: .named("Medium", format: nil)),
        Form(
            "hero",
            is: .transform(Transform(resize: .inside(width: 1600, height: nil), format: .fixed(.webp)))
        ),
        Form(
            "hero",
            parameters: [("width", "10")],
            output: "x.jpg",
            is: .transform(Transform(resize: .inside(width: 10, height: nil), format: .fixed(.jpeg)))
        ),
        Form(
            "width=3",
            output: "x.avif",
            is: .transform(Transform(resize: .inside(width: 3, height: nil), format: .fixed(.avif)))
        ),
    ])
    func `the options become one form`(_ form: Form) throws {
        let options = try SelectionOptions(form.words, presets: Self.presets)
        #expect(options.selection == form.selection)
        #expect(options.nativeFormat == form.nativeFormat)
    }

    @Test(arguments: [
        (
            SelectionOptions.Words(parameters: [("format", "png")], output: "x.jpg"),
            "\"x.jpg\" asks for jpeg, and the options for png"
        ),
        (.init(rendition: "Medium.png", output: "x.jpg"), "\"x.jpg\" asks for jpeg, and the options for png"),
        (.init(transform: "format=webp", output: "x.jpg"), "\"x.jpg\" asks for jpeg, and the options for webp"),
        (.init(transform: "format=webp", parameters: [("format", "webp")]), "\"format\" is given twice"),
        (.init(parameters: [("width", "5&height=6")]), "width takes 1…8192 px or 1%…400%, not \"5&height=6\""),
        (
            .init(transform: "width=5", output: "x.tiff"),
            "rcache does not write tiff; it writes jpeg, png, webp, avif, jxl, gif"
        ),
        (
            .init(rendition: "Medium", output: "x.heic"),
            "rcache does not write heic; it writes jpeg, png, webp, avif, jxl, gif"
        ),
        (
            .init(rendition: "Medium", output: "d.jpg/x.bmp"),
            "rcache does not write bmp; it writes jpeg, png, webp, avif, jxl, gif, and --format says which"
        ),
        (
            .init(rendition: "Wide", transform: "width=5"),
            "rendition \"Wide\" is the CMS's own; a size or quality goes with native, a preset or Medium"
        ),
    ])
    func `options that contradict each other are refused`(_ words: SelectionOptions.Words, _ message: String) throws {
        let failure = try #require(throws: Failure.self) { try SelectionOptions(words, presets: Self.presets) }
        #expect(failure == .usage(message))
    }

    // MARK: - Files

    @Test func `a file is replaced whole, and only where that is wanted`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old".utf8, to: "a.jpg")
        #expect(throws: Failure.usage("\(path) is there already; --force replaces it")) {
            try OutputFile.write(.memory([1, 2]), to: path, overwriting: false)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
        try OutputFile.write(.memory([1, 2]), to: path, overwriting: true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2]))
        try OutputFile.write(.memory([3]), to: folder.file("b.jpg"), overwriting: false)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("b.jpg"))) == Data([3]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.jpg", "b.jpg"])
    }

    @Test func `a file of many pieces arrives whole, through a link, which stays one`() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let source = try folder.write(bytes, to: "source")
        let target = try folder.write("old".utf8, to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "target")
        let descriptor = open(source, O_RDONLY)
        let body = RenditionBody.file(OpenFile(owning: descriptor, byteCount: bytes.count))
        try OutputFile.write(body, to: folder.file("link"), overwriting: true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data(bytes))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == "target")
        try OutputFile.write(body, to: "/dev/null", overwriting: true)
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
                == .typeCharacterSpecial
        )
    }

    @Test(arguments: [
        ("a.jpg", "a.jpg"), ("../../etc/passwd", "passwd"), (".bashrc", "bashrc"), ("-rf.jpg", "rf.jpg"),
        ("a\u{1B}[0m\n.jpg", "a[0m.jpg"),
        ("..", "picture"), ("", "picture"), ("C:\\x\\été.png", "été.png"),
    ])
    func `a name from outside becomes a harmless one`(_ name: String, _ harmless: String) {
        #expect(OutputFile.safeName(name) == harmless)
    }

    // MARK: - Texts

    @Test(
        arguments: [
            ("1970-01-01", 0), ("2026-01-31", 1_769_817_600), ("2024-02-29T12:30", 1_709_209_800),
            ("2026-01-31T18:00:30.5Z", 1_769_882_430.5),
            ("2026-01-31T18:00:00+05:30", 1_769_862_600), ("1969-12-31T23:59:59Z", -1), ("2 d", 1_000_000 - 172_800),
            ("15min", 999_100),
            ("2023-02-29", nil), ("2026-13-01", nil), ("2026-1-1", nil), ("yesterday", nil), ("20260131", nil),
            ("2026-01-31T25:00", nil), ("", nil),
            ("2026-01-31T", nil), ("2026-01-31T10:00+25:00", nil),
        ] as [(String, Double?)]
    )
    func `a date is read`(_ text: String, _ seconds: Double?) {
        #expect(DateText.seconds(text, now: 1_000_000) == seconds)
    }

    @Test func `a date that is written is read back as the same`() {
        for seconds in stride(from: -3_000_000_000.0, to: 8_000_000_000, by: 86_399 * 367) {
            #expect(DateText.seconds(DateText.rfc3339(seconds), now: 0) == seconds)
        }
        #expect(DateText.rfc3339(1_709_209_800.9) == "2024-02-29T12:30:00Z")
    }

    @Test func `JSON keeps its order and escapes what would break it`() {
        let json = JSONText.object([
            ("b", 1), ("a", .array([.null, true, .number(0.5), .number(.infinity)])), ("q\"", "a\\\n\t\u{1}\u{9B}é"),
        ])
        #expect(json.line == #"{"b":1,"a":[null,true,0.5,null],"q\"":"a\\\n\t\u0001\u009bé"}"#)
    }

    @Test func `a table lines up, and lets no control character through`() {
        let table = Table(
            rows: [["NAME", "BYTES", "WHY"], ["é\u{1B}[31m", "5", "x"], ["b", "1234", "long text"]],
            numeric: [1]
        )
        #expect(table.text == "NAME   BYTES  WHY\né[31m      5  x\nb       1234  long text\n")
    }

    @Test func `a cell stays on its line`() {
        #expect(Table(rows: [["a\nb\tc", "d"]]).text == "a b c  d\n")
    }

    @Test(arguments: [
        (1, 0, 0.5, false), (10, 0, 0.5, false), (10, 0, 1.5, true), (11, 10, 4, false), (11, 10, 6, true),
        (100, 90, 0, true), (5, 5, 60, false),
    ])
    func `without a terminal a line comes at most once a second, and at the end`(
        _ done: Int,
        _ drawn: Int,
        _ seconds: Double,
        _ isDue: Bool
    ) {
        #expect(ProgressBar.isLineDue(done, after: drawn, of: 100, pause: .seconds(seconds)) == isDue)
    }

    @Test(arguments: [("a/b.json", "a/b.json"), ("my cfg", "'my cfg'"), ("it's", "'it'\\''s'"), ("", "''")])
    func `a word is quoted for a shell where it has to be`(_ word: String, _ quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    @Test func `a rendition that is not there is told with the nearest that is`() {
        let failure = Failure(RenditionError.renditionNotFound(channel: "c", asset: "a", rendition: "Mediun"))
        #expect(failure.message.hasSuffix("has no rendition \"Mediun\"; did you mean Medium?"))
    }

    @Test func `a file that cannot be written is named as it was given`() {
        #expect(
            throws: Failure(.failures, "/nowhere/a.jpg cannot be written (open: No such file or directory)")
        ) { try OutputFile.write(.memory([1]), to: "/nowhere/a.jpg", overwriting: true) }
    }

    @Test func `progress says how many, how fast and how long`() {
        let bar = ProgressBar.line("warm blog", done: 30, total: 120, seconds: 3, "2 failed", bar: true)
        #expect(bar == "warm blog [######..................]  30 of 120  10.0/s  9.0 s left  2 failed")
        #expect(ProgressBar.line("list", done: 0, total: nil, seconds: 0, "", bar: false) == "list  0")
        #expect(
            ProgressBar.line("x", done: 5, total: 3, seconds: 1, "", bar: true)
                == "x [########################]  5 of 3  5.0/s"
        )
    }

    @Test func `a log record is a line for people or a line of JSON`() throws {
        let records = Mutex<[LogRecord]>([])
        let log = Log(minimum: .info) { record in records.withLock { $0.append(record) } }
        log(.warning, "origin is slow", ["host": "h", "why": "a b\n"])
        log(.debug, "not told")
        let record = try #require(records.withLock { $0 }.first)
        #expect(records.withLock { $0.count } == 1)
        #expect(Console.text(record) == "warning: origin is slow host=h why=\"a b\\n\"")
        #expect(
            Console.json(record, seconds: 0)
                == #"{"time":"1970-01-01T00:00:00Z","level":"warning","message":"origin is slow","host":"h","why":"a b\n"}"#
        )
    }

    @Test func `a refusal by the origin says where the credentials are`() {
        let refused = RenditionError.origin(.forbidden(host: "h", status: 401, detail: "no key."))
        #expect(
            Failure(refused).message
                == "h refuses with status 401: no key. (check the channel's auth, apiKey or channelToken)"
        )
    }

    @Test(arguments: [
        (RenditionError.assetNotFound(channel: "c", asset: "a"), 3),
        (.renditionNotFound(channel: "c", asset: "a", rendition: "r"), 3),
        (.notCached(channel: "c", asset: "a"), 4), (.unknownChannel("c", known: ["d"]), 2),
        (.origin(.notFound("x")), 3),
        (.origin(.notEnumerable("add a list")), 2),
        (.origin(.folderMissing("/x", SystemError("open", code: 2))), 4),
        (.origin(.forbidden(host: "h", status: 403, detail: nil)), 4),
        (.cache(.closed), 1), (.render(.refused(.notAnImage)), 1), (.cancelled, 130),
    ])
    func `a failure of the service decides the exit code`(_ error: RenditionError, _ code: Int) {
        #expect(Failure(error).code.rawValue == Int32(code))
    }
}
