import Glibc
import RenditionCache

extension Command {
    /// The main job end to end.
    static let demo = Command(
        name: "demo",
        purpose: "the main job end to end on loopback: publish, warm, get, stop the CMS, still served",
        details: """
            One rcache publishes a folder of pictures as a CMS on loopback, a second one warms it, gets a picture from it, and
            goes on serving when the CMS is stopped. It exits with 0 only if every step really happened.
            """,
        options: [
            Option(name: "photos", value: "DIR", help: "your own pictures (default: a dozen that the demo draws)"),
            Option(name: "directory", value: "DIR", help: "where to work; emptied first (default cache/demo)"),
        ],
        examples: [
            Example(line: "rcache demo", purpose: "with pictures of its own"),
            Example(line: "rcache demo --photos ~/Pictures", purpose: "with yours, which are only read"),
        ],
        run: { (invocation) throws(Failure) in try await DemoCommand(invocation: invocation).run() }
    )
}

/// `rcache demo`.
struct DemoCommand {
    let invocation: Invocation
    private var console: Console { invocation.console }

    func run() async throws(Failure) -> ExitCode {
        let console = console
        do {
            let folder = try DemoFolder(
                at: invocation.arguments["directory"] ?? "cache/demo",
                photos: invocation.arguments["photos"]
            )
            var bar = ProgressBar(console, title: "warm \(DemoFolder.channel)")
            var (done, total) = (0, Int?.none)
            let demo = Demo(folder: folder, program: ChildProcess.ownProgram(), say: console.say) { event in
                switch event {
                case .total(let count): total = count
                case .done, .skipped: done += 1
                case .failed(let asset, let form, let reason): console.say("\(asset.name)  \(form)  \(reason)")
                case .resumed, .began, .finished: break
                }
                bar.update(done: done, total: total)
            }
            let report = try await demo.run()
            bar.finish()
            let text = DemoText(report: report, folder: folder)
            try invocation.isJSON ? console.write(text.json) : console.write(text.table)
            return .done
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.failures, "the demo stopped: \(error)")
        }
    }
}

/// What the demo prints at the end.
struct DemoText {
    let report: Demo.Report
    let folder: DemoFolder

    var table: String {
        let warm = report.warm
        var rows = [
            ["pictures", "\(warm.done) of \(warm.done + warm.failed.values.reduce(0, +)) in every form"],
            ["fetched", "\(warm.fetched) forms from the CMS, \(Quantity.text(bytes: warm.fetchedBytes))"],
            ["rendered", "\(warm.rendered) forms here (\(Demo.transform))"],
            ["bytes saved", saved],
            ["warm", Quantity.text(seconds: warm.seconds)],
            [
                "get, cold",
                "\(Quantity.text(seconds: report.coldGetSeconds))  \(report.picture) as Large, from the CMS",
            ],
            ["get, cached", "\(Quantity.text(seconds: report.cachedGetSeconds))  as Medium, no network, no worker"],
            [
                "get, CMS down",
                "\(Quantity.text(seconds: report.downGetSeconds))  as Medium, the same \(report.pictureBytes) bytes",
            ],
        ]
        rows += report.notMade.map { ["not made", "\($0.name): \($0.reason)"] }
        rows += report.skipped.map { ["skipped", "\($0.name): \($0.reason)"] }
        rows += [
            ["files", "\(folder.file("medium.jpg")), \(folder.file("large.jpg")), cache in \(folder.file("cache"))"],
            [
                "try next",
                "\(program) get \(report.picture) --rendition Small.webp --config \(quoted(folder.configuration)) -o small.webp",
            ],
            ["or", "\(program) serve --folder \(quoted(folder.photos))"],
        ]
        return "\n" + Table(rows: rows).text
    }

    var json: JSONText {
        let warm = report.warm
        return .object([
            ("done", .integer(warm.done)), ("fetched", .integer(warm.fetched)), ("rendered", .integer(warm.rendered)),
            ("fetchedBytes", .integer(warm.fetchedBytes)), ("nativeBytes", .integer(bytes("native"))),
            ("transformBytes", .integer(bytes(Demo.transform))), ("warmSeconds", .number(warm.seconds)),
            ("coldGetSeconds", .number(report.coldGetSeconds)), ("cachedGetSeconds", .number(report.cachedGetSeconds)),
            ("downGetSeconds", .number(report.downGetSeconds)), ("picture", .string(report.picture)),
            ("notMade", Self.reasons(report.notMade)),
            ("skipped", Self.reasons(report.skipped.map { ($0.name, $0.reason) })),
            ("directory", .string(folder.root)), ("configuration", .string(folder.configuration)),
        ])
    }

    private var saved: String {
        let (native, made) = (bytes("native"), bytes(Demo.transform))
        let share = native > 0 ? 100 * Double(native - made) / Double(native) : 0
        let whole = Quantity.text(bytes: native)
        return
            "\(whole) of natives become \(Quantity.text(bytes: made)) at \(Demo.transform): \(Int(share.rounded())) % less"
    }

    private func bytes(_ form: String) -> Int { report.bytesByForm[form] ?? 0 }

    private static func reasons(_ list: [(name: String, reason: String)]) -> JSONText {
        .array(list.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
    }

    /// This program as a shell finds it from here, installed or not.
    private var program: String { ShellWord.quoted(CommandLine.arguments.first ?? "rcache") }

    private func quoted(_ path: String) -> String { ShellWord.quoted(path) }
}
