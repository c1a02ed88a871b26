import Testing

@testable import RenditionCache

@Suite struct QuantityTests {
    @Test(
        arguments: [
            ("0", 0), ("4096", 4096), ("10 GB", 10_000_000_000), ("512 MiB", 536_870_912), ("1.5kb", 1500),
            ("2 tib", 2_199_023_255_552),
            ("7 B", 7), ("1e3", nil), ("-1", nil), ("10 GX", nil), ("", nil), ("GB", nil), ("1.2.3", nil),
            ("1 000", nil),
            ("9999999999 GB", nil), ("nan", nil), ("0x10", nil), ("٣", nil),
        ] as [(String, Int?)]
    )
    func `a size is read`(_ text: String, _ bytes: Int?) { #expect(Quantity.bytes(text) == bytes) }

    @Test(
        arguments: [
            ("0", .zero), ("2.5", .milliseconds(2500)), ("10 s", .seconds(10)), ("15 min", .seconds(900)),
            ("1 d", .seconds(86_400)),
            ("2H", .seconds(7200)), ("1 w", .seconds(604_800)), ("500ms", .milliseconds(500)), ("1 month", nil),
            ("99999999999", nil),
        ] as [(String, Duration?)]
    )
    func `a duration is read`(_ text: String, _ duration: Duration?) { #expect(Quantity.duration(text) == duration) }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"), (999_499, "999 kB"),
        (999_500, "1.0 MB"), (4_300_000, "4.3 MB"), (10_000_000_000, "10.0 GB"),
    ])
    func `a size is shown with about three digits`(_ bytes: Int, _ text: String) {
        #expect(Quantity.text(bytes: bytes) == text)
    }

    @Test(arguments: [
        (0, "0 ms"), (0.4204, "420 ms"), (0.9996, "1.0 s"), (12.34, "12.3 s"), (59.95, "1 min 0 s"), (245, "4 min 5 s"),
        (3599.5, "1 h 0 min"), (7800, "2 h 10 min"),
    ])
    func `a time is shown in two units at most`(_ seconds: Double, _ text: String) {
        #expect(Quantity.text(seconds: seconds) == text)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:0", "::1", 0), ("localhost:80", "127.0.0.1", 80),
        ("0.0.0.0:65535", "0.0.0.0", 65_535),
    ])
    func `an address to listen on is read`(_ text: String, _ address: String, _ port: Int) throws {
        let listen = try #require(ListenAddress(text))
        #expect(listen.address == address)
        #expect(listen.port == port)
    }

    @Test(arguments: [
        "", ":", ":80", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:-1", "1.2.3:80", "[::1]", "::1:80",
        "[127.0.0.1]:80", "example:80",
    ])
    func `other addresses are not`(_ text: String) { #expect(ListenAddress(text) == nil) }

    @Test(
        arguments: [
            ("chanels", "channels"), ("CHANNELS", "channels"), ("sever", "server"), ("cahce", "cache"),
            ("fecth", "fetch"), ("x", nil),
            ("", nil), ("renderings", nil), (String(repeating: "a", count: 100), nil),
        ] as [(String, String?)]
    )
    func `a mistyped name finds the one that was meant`(_ typed: String, _ meant: String?) {
        #expect(nearest(to: typed, among: ["cache", "server", "channels", "fetch", "render"]) == meant)
    }
}
