import Glibc
import RenditionCache

extension Command {
    /// How fast this installation is.
    static let bench = Command(
        name: "bench",
        purpose: "throughput of this installation: renders, hits and warming, in under a minute",
        details: """
            Client and server share this machine's cores, so hits are fewer than a client elsewhere would see. With --folder
            your own pictures are measured; they are only read.
            """,
        options: [Option(name: "seconds", value: "N", help: "how long each part runs, 1…60 (default 6)")],
        examples: [
            Example(line: "rcache bench", purpose: "on pictures that it draws"),
            Example(line: "rcache bench --folder ~/Pictures --json", purpose: "on yours, as JSON"),
        ],
        run: { (invocation) throws(Failure) in try await BenchCommand(invocation: invocation).run() }
    )
}

/// `rcache bench`.
struct BenchCommand {
    let invocation: Invocation

    func run() async throws(Failure) -> ExitCode {
        guard invocation.arguments["config"] == nil else {
            throw .usage("bench measures a folder of pictures: give --folder, not --config")
        }
        let seconds = try invocation.arguments.number("seconds", in: 1...60) ?? 6
        let console = invocation.console
        do {
            let scratch = try ScratchFolder("rcache-bench")
            var photos = invocation.arguments["folder"] ?? ""
            if photos.isEmpty {
                console.say("drawing pictures")
                photos = scratch.file("photos")
                try WorkFolder.make(photos)
                _ = try DemoPictures.write(to: photos)
            }
            let bench = Bench(
                photos: photos,
                scratch: scratch.path,
                seconds: Double(seconds),
                say: console.say
            )
            let report = try await bench.run()
            try invocation.isJSON ? console.write(Self.json(report)) : console.write(Self.table(report))
            return .done
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.failures, "the benchmark stopped: \(error)")
        }
    }

    private static func table(_ report: Bench.Report) -> String {
        func microseconds(_ seconds: Double) -> String { "\(Int((seconds * 1e6).rounded())) µs" }
        func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        let latency =
            "median \(microseconds(report.hitMedianSeconds)), 99 % \(microseconds(report.hit99Seconds))"
        let rows = [
            ["render", rounded(report.jpegPerSecond), "pictures/s to 640 pixels, JPEG"],
            ["", rounded(report.webpPerSecond), "pictures/s to 640 pixels, WebP"],
            [
                "hit", rounded(report.hitsPerSecond),
                "requests/s over HTTP, \(rounded(report.hitMegabytesPerSecond)) MB/s, \(latency)",
            ],
            [
                "warm", rounded(report.warmPicturesPerSecond),
                "pictures/s with thumbnail, \(rounded(report.warmMegabytesPerSecond)) MB/s",
            ],
        ]
        return "\(report.pictures) pictures\n" + Table(rows: rows, numeric: [1]).text
    }

    private static func json(_ report: Bench.Report) -> JSONText {
        .object([
            ("pictures", .integer(report.pictures)), ("jpegPerSecond", .number(report.jpegPerSecond)),
            ("webpPerSecond", .number(report.webpPerSecond)), ("hitsPerSecond", .number(report.hitsPerSecond)),
            ("hitMegabytesPerSecond", .number(report.hitMegabytesPerSecond)),
            ("hitMedianSeconds", .number(report.hitMedianSeconds)), ("hit99Seconds", .number(report.hit99Seconds)),
            ("warmPicturesPerSecond", .number(report.warmPicturesPerSecond)),
            ("warmMegabytesPerSecond", .number(report.warmMegabytesPerSecond)),
        ])
    }
}
