import Glibc
import RenditionCache

/// The main job end to end on loopback, each step checked: pictures, a CMS of their own, warm, get, the CMS stopped, still served.
struct Demo {
    /// What the table at the end tells.
    struct Report {
        var files = 0
        var warm = WarmSummary()
        var notMade: [(name: String, reason: String)] = []
        var skipped: [SkippedFile] = []
        /// Bytes of each form over the assets that have all forms.
        var bytesByForm: [String: Int] = [:]
        var coldGetSeconds = 0.0, cachedGetSeconds = 0.0, downGetSeconds = 0.0
        var picture = ""
        var pictureBytes = 0
    }

    /// What the demo's channel warms; the last is rendered here, the others come from the CMS.
    static let forms = ["native", "Medium", "Thumbnail", Demo.transform]
    static let transform = "width=640&format=webp"

    let folder: DemoFolder
    let program: String
    /// Says what happens.
    let say: (String) -> Void
    /// Hears of every event of the warm.
    let watch: (WarmEvent) -> Void

    /// Runs every step.
    ///
    /// Throws `DemoError` at the first that did not really happen.
    func run() async throws -> Report {
        var report = Report()
        let cms = try publish()
        defer { _ = cms.child.end(within: 5) }
        try folder.writeConfiguration(url: cms.url, forms: Self.forms)
        report.skipped = try await skippedFiles()
        try await warm(&report)
        try get(&report)
        try stop(cms.child)
        try await getAgain(&report)
        return report
    }

    private func publish() throws -> (child: ChildProcess, url: String) {
        try folder.writeCMSConfiguration()
        say("publishing \(folder.photos) as a CMS")
        let child = try ChildProcess(
            program,
            ["serve", "--config", folder.cmsConfiguration],
            log: folder.file("cms.log")
        )
        guard let line = child.firstLine(within: 20), let start = line.firstRange(of: "http://") else {
            throw DemoError.step("the folder could not be published; \(folder.file("cms.log")) says why")
        }
        let url = String(line[start.lowerBound...].prefix { !$0.isWhitespace })
        say("the CMS answers on \(url)")
        return (child, url)
    }

    private func skippedFiles() async throws -> [SkippedFile] {
        let service = try await RenditionService.open(try Configuration.read(file: folder.cmsConfiguration))
        let skipped = try await service.assets(in: "photos", limit: 1).skipped
        await service.shutDown()
        return skipped
    }

    private func warm(_ report: inout Report) async throws {
        say("warming \(Self.forms.joined(separator: ", "))")
        let configuration = try Configuration.read(file: folder.configuration)
        let service = try await RenditionService.open(configuration)
        for try await event in service.warm(WarmPlan(channel: DemoFolder.channel)) {
            watch(event)
            switch event {
            case .done(_, let made):
                for form in made { report.bytesByForm[form.form, default: 0] += form.byteCount }
                if report.picture.isEmpty, case .done(let asset, _) = event { report.picture = asset.id }
            case .failed(let asset, _, let reason):
                if report.notMade.last?.name != asset.name { report.notMade.append((asset.name, reason)) }
            case .finished(let summary): report.warm = summary
            default: break
            }
        }
        await service.shutDown()
        guard report.warm.done > 0, report.warm.fetched > 0, report.warm.rendered > 0 else {
            throw DemoError.step(
                "the warm fetched \(report.warm.fetched) and rendered \(report.warm.rendered) pictures"
            )
        }
    }

    /// A size that was not warmed, cold, then a warmed one, cached.
    private func get(_ report: inout Report) throws {
        let large = folder.file("large.jpg")
        report.coldGetSeconds = try get(report.picture, "Large", to: large).seconds
        let medium = folder.file("medium.jpg")
        let cached = try get(report.picture, "Medium", to: medium)
        report.cachedGetSeconds = cached.seconds
        report.pictureBytes = cached.byteCount
    }

    private func stop(_ cms: ChildProcess) throws {
        say("stopping the CMS")
        guard cms.end(within: 10) else { throw DemoError.step("the CMS did not end when asked") }
    }

    /// Once the version has fallen due, so that rcache has to notice that the CMS is gone.
    private func getAgain(_ report: inout Report) async throws {
        say("waiting until what is known of the picture has fallen due")
        try await Task.sleep(for: DemoFolder.maxAge)
        let before = folder.file("medium.jpg")
        let after = folder.file("medium-while-down.jpg")
        report.downGetSeconds = try get(report.picture, "Medium", to: after).seconds
        guard try WorkFolder.bytes(of: before) == WorkFolder.bytes(of: after) else {
            throw DemoError.step("the picture served while the CMS is down is not the one served before")
        }
        say("the CMS is down and the picture is still served")
    }

    private func get(_ id: String, _ rendition: String, to path: String) throws -> (seconds: Double, byteCount: Int) {
        let arguments = ["get", id, "--rendition", rendition, "--config", folder.configuration, "-o", path, "--force"]
        let result = try ChildProcess.run(program, arguments)
        guard result.status == 0 else {
            throw DemoError.step("rcache \(arguments.joined(separator: " ")) ended with \(result.status)")
        }
        let bytes = try WorkFolder.bytes(of: path)
        guard bytes.withUnsafeBytes({ ImageFormat(signature: $0) }) == .jpeg else {
            throw DemoError.step("\(path) is no JPEG")
        }
        return (result.seconds, bytes.count)
    }
}

/// A step of the demo that did not happen.
enum DemoError: Error, CustomStringConvertible {
    case step(String)
    case folder(String)

    var description: String {
        switch self {
        case .step(let text), .folder(let text): text
        }
    }
}
