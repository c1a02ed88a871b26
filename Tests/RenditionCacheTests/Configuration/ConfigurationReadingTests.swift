import TestSupport
import Testing

@testable import RenditionCache

@Suite struct ConfigurationReadingTests {
    static let variables = ["TOKEN": "s3cret", "SIZE": "5 GB", "EMPTY": "", "BAD": "hush"]

    static func parse(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration.parse(text, baseDirectory: "/etc/rcache") { variables[$0] }
    }

    static let whole = """
        // everything that can be said
        {
          cache: { directory: "store", maxBytes: "${SIZE}", keepFree: "512 MiB", maxEntries: 0x10, memory: 1000, },
          server: { listen: '[::1]:0', threads: 3, maxConnections: 20,
                    maxWaiting: 5, waitLimit: "1 min", idleTimeout: 7 },
          presets: { hero: { width: 1600, quality: "70", format: "webp" }, dot: { height: 1 } },
          fetch: { maxBytes: "1 kB", connectTimeout: "1 s", stallTimeout: 2.5, totalTimeout: "1 min",
                   maxRedirects: 0, perHost: 2, inAll: 4, liveRetries: 0, warmRetries: 3, liveWait: "1 s", warmWait: 9,
                   longestQuiet: "2 h", breakerFailures: 8, breakerRest: "100 ms", breakerLongestRest: "2 min" },
          render: { workers: 1, jobsPerWorker: 2, queuePerWorker: 3, program: "./bin/worker", deadline: "500 ms",
                    sourceBytes: "1 MB", sourcePixels: 1e6, frames: 7, outputEdge: 100, svgBytes: 0, jobBytes: "64 MB" },
          channels: {
            photos: { kind: "folder", path: "../photos", publish: ["ocm"], maxAge: 0, warm: ["hero", "width=5"] },
            blog: { kind: "ocm", url: "HTTPS://CMS.example:443/", channelToken: "${TOKEN}",
                    channelTokenIn: "header", access: "open", allow: ["cdn.example"],
                    auth: { type: "basic", user: "u", password: "p${TOKEN}" }, headers: { "X-Key": "a ${TOKEN} b" },
                    maxAge: "1 h", staleWhileRevalidate: "2 d", staleIfError: "1 w" },
          },
        }
        """

    @Test func `every key ends up in its setting`() throws {
        let configuration = try Self.parse(Self.whole)
        var expected = Configuration()
        expected.cache.directory = "/etc/rcache/store"
        expected.cache.maxBytes = 5_000_000_000
        expected.cache.keepFreeBytes = 536_870_912
        expected.cache.maxEntries = 16
        expected.cache.memoryBytes = 1000
        expected.server.address = "::1"
        expected.server.port = 0
        expected.server.threads = 3
        expected.server.maxConnections = 20
        expected.server.maxWaiting = 5
        expected.server.waitLimit = .seconds(60)
        expected.server.idleTimeout = .seconds(7)
        expected.presets = [
            "hero": Transform(resize: .inside(width: 1600, height: nil), format: .fixed(.webp), quality: 70),
            "dot": Transform(resize: .inside(width: nil, height: 1)),
        ]
        expected.fetch.maxBytes = 1000
        expected.fetch.connectTimeout = .seconds(1)
        expected.fetch.stallTimeout = .milliseconds(2500)
        expected.fetch.totalTimeout = .seconds(60)
        (expected.fetch.maxRedirects, expected.fetch.perHost, expected.fetch.inAll) = (0, 2, 4)
        (expected.fetch.liveRetries, expected.fetch.warmRetries, expected.fetch.breakerFailures) = (0, 3, 8)
        (expected.fetch.liveWait, expected.fetch.warmWait) = (.seconds(1), .seconds(9))
        expected.fetch.longestQuiet = .seconds(7200)
        (expected.fetch.breakerRest, expected.fetch.breakerLongestRest) = (.milliseconds(100), .seconds(120))
        expected.render.workers = 1
        expected.render.jobsPerWorker = 2
        expected.render.queuePerWorker = 3
        expected.render.program = "/etc/rcache/bin/worker"
        expected.render.limits = RenderLimits(
            sourceBytes: 1_000_000,
            sourcePixels: 1_000_000,
            frames: 7,
            outputEdgePixels: 100,
            svgBytes: 0,
            deadlineSeconds: 0.5,
            jobBytes: 64_000_000
        )
        var photos = ChannelSettings(name: "photos", kind: .folder(path: "/etc/rcache/../photos"))
        photos.maxAge = .zero
        photos.warm = ["hero", "width=5"]
        var ocm = OCMSettings(url: "https://cms.example", channelToken: "s3cret")
        ocm.authentication = .basic(user: "u", password: "ps3cret")
        ocm.headers = ["X-Key": "a s3cret b"]
        ocm.channelTokenIn = .header
        var blog = ChannelSettings(name: "blog", kind: .ocm(ocm))
        blog.access = .open
        blog.allow = ["cdn.example"]
        blog.maxAge = .seconds(3600)
        blog.staleWhileRevalidate = .seconds(172_800)
        blog.staleIfError = .seconds(604_800)
        expected.channels = [photos, blog]
        #expect(configuration == expected)
    }

    @Test func `what is not said keeps its default`() throws {
        let configuration = try Self.parse("{channels: {a: {kind: 'folder', path: '/p'}}}")
        var expected = Configuration()
        expected.cache.directory = "/etc/rcache/cache"
        expected.channels = [ChannelSettings(name: "a", kind: .folder(path: "/p"))]
        #expect(configuration == expected)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        var text: String
        var issues: [String]
        init(_ text: String, _ issues: String...) { (self.text, self.issues) = (text, issues) }
        var testDescription: String { text }
    }

    /// A good channel, so that only what a case is about is wrong.
    static let rest = "channels: {a: {kind: 'folder', path: 'p'}}}"

    @Test(arguments: [
        Bad("{chanels: {}}", "1:2: unknown key \"chanels\"; did you mean \"channels\"?"),
        Bad("{}", "1:1: there are no \"channels\""), Bad("{channels: {}}", "1:12: there is no channel"),
        Bad("[]", "1:1: expected an object, found an array"),
        Bad("{zzz: 1, \(rest)", "1:2: unknown key \"zzz\"; known are cache, server, presets, channels, fetch, render"),
        Bad("{cache: {maxBytes: '10 GX'}, \(rest)", "1:20: \"10 GX\" is not \(Quantity.sizeForm)"),
        Bad("{cache: {maxBytes: true}, \(rest)", "1:20: expected \(Quantity.sizeForm), found a boolean"),
        Bad("{cache: {maxBytes: -1}, \(rest)", "1:20: expected \(Quantity.sizeForm), found a number"),
        Bad("{cache: {maxBytes: 10}, \(rest)", "1:20: maxBytes is 10 bytes and may be 65536 or more"),
        Bad("{cache: {maxEntries: 1.5}, \(rest)", "1:22: expected a whole number, found a number"),
        Bad("{cache: {maxEntries: NaN}, \(rest)", "1:22: expected a whole number, found a number"),
        Bad("{cache: {directory: ''}, \(rest)", "1:21: expected a path, found a string"),
        Bad("{server: {listen: '8080'}, \(rest)", "1:19: expected \(ListenAddress.form)"),
        Bad("{server: {listen: '::1:80'}, \(rest)", "1:19: expected \(ListenAddress.form)"),
        Bad("{server: {listen: '1.2.3.4:65536'}, \(rest)", "1:19: expected \(ListenAddress.form)"),
        Bad("{fetch: {perHost: 0}, \(rest)", "1:19: perHost is 0 and may be 1…256"),
        Bad(
            "{fetch: {stallTimeout: '0 s'}, \(rest)",
            "1:24: stallTimeout is 0.0 s and may be more than 0 s and up to 3600 s"
        ),
        Bad("{fetch: {breakerFailures: 0}, \(rest)", "1:27: breakerFailures is 0 and may be 1…1000"),
        Bad("{fetch: {warmRetries: 21}, \(rest)", "1:23: warmRetries is 21 and may be 0…20"),
        Bad("{fetch: {totalTimeout: '5 mins'}, \(rest)", "1:24: \"5 mins\" is not \(Quantity.durationForm)"),
        Bad("{presets: {p: {widht: 1}}, \(rest)", "1:16: unknown parameter \"widht\"; did you mean \"width\"?"),
        Bad("{presets: {p: {width: 0.5}}, \(rest)", "1:23: width takes 1…8192 px or 1%…400%, not \"0.5\""),
        Bad("{presets: {p: {width: []}}, \(rest)", "1:23: expected a string, found an array"),
        Bad("{presets: {p: {width: true}}, \(rest)", "1:23: width takes 1…8192 px or 1%…400%, not \"true\""),
        Bad(
            "{presets: {p: {format: 'automatic'}}, \(rest)",
            "1:24: format takes one of jpeg, png, webp, avif, jxl, gif, source, auto, smallest, not \"automatic\""
        ),
        Bad("{presets: {p: {enlarge: 1}}, \(rest)", "1:25: enlarge takes one of true, false, not \"1\""),
        Bad(
            "{presets: {p: {width: 4000, dpr: 4}}, \(rest)",
            "1:34: dpr takes no more than keeps sides within 8192 px, not \"4\""
        ),
        Bad("{presets: {'a b': {}}, \(rest)", "1:12: a preset's name is made of letters, digits, - and _"),
        Bad(
            "{presets: {medium: {}}, \(rest)",
            "1:12: \"medium\" is a rendition that every channel has; take another name"
        ),
    ])
    func `a mistake in a section is named where it stands`(_ bad: Bad) {
        expectIssues(bad)
    }

    @Test(arguments: [
        Bad(
            "{channels: {'a/b': {kind: 'folder', path: 'p'}}}",
            "1:13: a channel's name is made of letters, digits, -, _ and ., and does not begin with a point"
        ),
        Bad("{channels: {a: 1}}", "1:16: expected an object with \"kind\", found a number"),
        Bad(
            "{channels: {a: {path: 'p'}}}",
            "1:13: channel \"a\" has no \"kind\"; known are folder, ocm, aem, microcms, http"
        ),
        Bad("{channels: {a: {kind: 'aem'}}}", "1:13: a channel of kind aem needs \"xcconfig\" or \"url\""),
        Bad(
            "{channels: {a: {kind: 'microcms', service: 'a.b'}}}",
            "1:44: expected the name of a service, as in https://NAME.microcms.io, found a string"
        ),
        Bad("{channels: {a: {kind: 'foldr'}}}", "1:23: unknown kind \"foldr\"; did you mean \"folder\"?"),
        Bad(
            "{channels: {a: {kind: 'sftp'}}}",
            "1:23: unknown kind \"sftp\"; known are folder, ocm, aem, microcms, http"
        ),
        Bad("{channels: {a: {kind: 'folder'}}}", "1:13: a channel of kind folder needs \"path\""),
        Bad("{channels: {a: {kind: 'folder', path: 1}}}", "1:39: expected a string, found a number"),
        Bad("{channels: {a: {kind: 'folder', path: 'p', url: 'x'}}}", "1:44: \"url\" is not a key of kind folder"),
        Bad(
            "{channels: {a: {kind: 'folder', path: 'p', publish: ['aem']}}}",
            "1:53: \"publish\" takes \"ocm\" in this version"
        ),
        Bad(
            "{channels: {a: {kind: 'folder', path: 'p', warm: ['a', 'width=0']}}}",
            "1:56: width takes 1…8192 px or 1%…400%, not \"0\""
        ),
        Bad(
            "{channels: {a: {kind: 'folder', path: 'p', warm: 'a'}}}",
            "1:50: expected an array of strings, found a string"
        ),
        Bad("{channels: {a: {kind: 'folder', path: 'p', allow: ['a b']}}}", "1:52: expected a host or an address"),
        Bad(
            "{channels: {a: {kind: 'ocm'}}}",
            "1:13: a channel of kind ocm needs \"credentials\", or \"url\" and \"channelToken\""
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'cms.example'}}}",
            "1:35: the URL has no scheme; write it as https://host"
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'https://c', access: 'all'}}}",
            "1:56: \"access\" takes \"same\" (default) or \"open\""
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'https://c', channelTokenIn: 'path'}}}",
            "1:64: \"channelTokenIn\" takes \"query\" (default) or \"header\""
        ),
        Bad("{channels: {a: {kind: 'ocm', url: 'ftp://cms.example'}}}", "1:35: the URL is neither http nor https"),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://u:pw@cms.example'}}}",
            "1:35: the URL has a user name or password; use \"auth\" for them"
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://h/content'}}}",
            "1:35: the URL has more than scheme, host and port"
        ),
        Bad("{channels: {a: {kind: 'ocm', url: 'http://h:0'}}}", "1:35: the URL has a port that is not in 1…65535"),
        Bad("{channels: {a: {kind: 'ocm', url: 'http://h', auth: {}}}}", "1:53: \"auth\" needs \"type\""),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://h', auth: {type: 'basic', user: 'u'}}}}",
            "1:53: \"auth\" needs \"password\""
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://h', auth: {type: 'oauth'}}}}",
            "1:53: \"auth\" needs \"tokenURL\" and \"clientID\" and \"clientSecret\""
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://h', headers: {'a b': 'x'}}}}",
            "1:64: \"a b\" is no name of a header field"
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://h', headers: {Host: 'x'}}}}",
            "1:63: Host is set by rcache itself"
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://h', headers: {X: 'hush\\n'}}}}",
            "1:60: the value of X has a control character"
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://h', channelToken: ''}}}",
            "1:61: the channel token is empty or has a control character"
        ),
        Bad(
            "{channels: {a: {kind: 'ocm', url: 'http://h', credentials: 'none.json'}}}",
            "1:60: /etc/rcache/none.json: cannot be read (open: No such file or directory)",
            "1:13: \"url\" beside \"credentials\": leave one out"
        ),
        Bad(
            "{channels: {a: {kind: 'folder', path: 'p'}, a: {kind: 'folder', path: 'q'}}}",
            "1:45: the key \"a\" is there twice"
        ),
    ])
    func `a mistake in a channel is named where it stands`(_ bad: Bad) {
        expectIssues(bad)
    }

    @Test(arguments: [
        Bad("{cache: {maxBytes: '${NONE}'}, \(rest)", "1:20: the environment variable NONE is not set"),
        Bad("{cache: {directory: 'a${EMPTY}b'}, \(rest)", "1:21: the environment variable EMPTY is empty"),
        Bad(
            "{cache: {directory: '${NONE}${EMPTY}'}, \(rest)",
            "1:21: the environment variable NONE is not set",
            "1:21: the environment variable EMPTY is empty"
        ),
        Bad("{cache: {directory: 'a${B'}, \(rest)", "1:21: \"${\" without \"}\""),
        Bad("{cache: {directory: '${1}'}, \(rest)", "1:21: \"${1}\" is not ${NAME} with letters, digits and _"),
        Bad("{cache: {directory: '${}'}, \(rest)", "1:21: \"${}\" is not ${NAME} with letters, digits and _"),
        Bad("{cache: {maxBytes: '${BAD}'}, \(rest)", "1:20: \"${BAD}\" is not \(Quantity.sizeForm)"),
    ])
    func `a variable is filled in, or said to be missing, and its value is never shown`(_ bad: Bad) {
        expectIssues(bad)
    }

    @Test func `all errors are shown at once, in the order of the file`() {
        let text = """
            {
              cache: { maxBytes: "ten" },
              chanels: {},
              channels: {
                a: { kind: "folder", pth: "x" },
                b: { kind: "ocm", url: "https://h", maxAge: "${NONE}" },
                b: {},
              },
            }
            """
        expectIssues(
            Bad(
                text,
                "2:22: \"ten\" is not \(Quantity.sizeForm)",
                "3:3: unknown key \"chanels\"; did you mean \"channels\"?",
                "5:5: a channel of kind folder needs \"path\"",
                "5:26: unknown key \"pth\"; did you mean \"path\"?",
                "6:49: the environment variable NONE is not set",
                "7:5: the key \"b\" is there twice"
            )
        )
    }

    private func expectIssues(_ bad: Bad, sourceLocation: SourceLocation = #_sourceLocation) {
        do throws(ConfigurationError) {
            let configuration = try Self.parse(bad.text)
            Issue.record("accepted as \(configuration)", sourceLocation: sourceLocation)
        } catch {
            let expected = bad.issues.map { "rcache.json:\($0)" }.sorted()
            #expect(error.issues.map(\.description).sorted() == expected, sourceLocation: sourceLocation)
            let places = error.issues.map { [$0.line, $0.column] }
            #expect(places == places.sorted { $0.lexicographicallyPrecedes($1) }, sourceLocation: sourceLocation)
        }
    }

    @Test func `a file cut off anywhere is refused with a place inside it, or at its end`() throws {
        let bytes = Array(Self.whole.utf8)
        for length in bytes.indices {
            let text = String(decoding: bytes[..<length], as: UTF8.self)
            let error = try #require(throws: ConfigurationError.self) { try Self.parse(text) }
            let issue = try #require(error.issues.first)
            #expect((1...(text.split(separator: "\n", omittingEmptySubsequences: false).count)).contains(issue.line))
            #expect(issue.column >= 1)
        }
    }

    @Test func `a file with any one byte changed is read or refused, never a crash`() {
        for index in Self.whole.utf8.indices {
            for byte in [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "9"), 0xFF, 0] {
                var bytes = Array(Self.whole.utf8)
                bytes[Self.whole.utf8.distance(from: Self.whole.startIndex, to: index)] = byte
                // Either answer will do.
                _ = try? Self.parse(String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}
