import RenditionCache

/// Shows a warm while it runs and sums it up at the end.
struct WarmReport {
    private let plan: WarmPlan
    private let console: Console
    private let isJSON: Bool
    private let isVerbose: Bool
    private var bar: ProgressBar
    private var total: Int?
    private var finished = 0
    private var failedForms = 0
    private var failedAssets = 0
    private var lastFailed: String?
    private var failures: [[String]] = []
    private var missing = 0
    private var summary: WarmSummary?

    /// Failures that are listed one by one.
    static let listedFailures = 20

    init(plan: WarmPlan, invocation: Invocation) {
        self.plan = plan
        console = invocation.console
        isJSON = invocation.isJSON
        isVerbose = invocation.arguments.has("verbose")
        bar = ProgressBar(console, title: "warm \(plan.channel)")
    }

    // MARK: - While it runs

    /// Takes the next event.
    mutating func take(_ event: WarmEvent) throws(Failure) {
        if isJSON, let json = Self.json(event) { try console.write(json) }
        switch event {
        case .total(let count): total = count
        case .resumed(let count):
            console.say("going on with a warm that was interrupted: \(count) pictures are done")
        case .began(let asset): if isVerbose, !isJSON { console.say("began \(asset.id)") }
        case .done(_, let made):
            finished += 1
            missing += made.count { $0.means == .missing }
        case .skipped: finished += 1
        case .failed(let asset, let form, let reason):
            // The forms of one asset come one after the other.
            if asset.id != lastFailed {
                finished += 1
                failedAssets += 1
            }
            lastFailed = asset.id
            failedForms += 1
            if failures.count < Self.listedFailures { failures.append([asset.name, form, reason]) }
        case .finished(let summary): self.summary = summary
        }
        // JSON on a terminal and a live bar would write over each other.
        guard !(isJSON && console.isLive) else { return }
        // What a folder holds besides pictures is skipped, but not among the total.
        bar.update(
            done: min(finished, total ?? finished),
            total: total,
            remark: failedAssets > 0 ? "\(failedAssets) failed" : ""
        )
    }

    // MARK: - At the end

    /// Takes the bar away; the reason follows.
    func breakOff() { bar.finish() }

    /// Prints the table, and says what to exit with.
    func finish() throws(Failure) -> ExitCode {
        bar.finish()
        guard let summary else {
            console.say("interrupted after \(finished) pictures; the same command goes on from there")
            throw .interrupted
        }
        if !isJSON { try console.write(text(summary)) }
        return summary.failed.isEmpty ? .done : .failures
    }

    private func text(_ summary: WarmSummary) -> String {
        let assets = summary.done + summary.failed.values.reduce(0, +)
        let head = plan.dryRun ? "would be warmed" : "warmed in \(Quantity.text(seconds: summary.seconds))"
        var rows = [["done", "\(summary.done)", "of \(assets) pictures of \(plan.channel) \(head)"]]
        if summary.resumed > 0 { rows.append(["resumed", "\(summary.resumed)", "of them before the interruption"]) }
        if plan.dryRun { rows.append(["missing", "\(missing)", "forms would be fetched or rendered"]) }
        if !plan.dryRun {
            rows.append([
                "fetched", "\(summary.fetched)", "forms, \(Quantity.text(bytes: summary.fetchedBytes)) from the origin",
            ])
            rows.append(["rendered", "\(summary.rendered)", "forms"])
        }
        rows.append(["present", "\(summary.present)", "forms were in the cache already"])
        if !plan.dryRun { rows.append(["added", "", "\(Quantity.text(bytes: summary.storedBytes)) to the cache"]) }
        if summary.evicted > 0 {
            rows.append([
                "evicted", "\(summary.evicted)", "entries, those used longest ago, because the cache was full",
            ])
        }
        if summary.slowdowns > 0 {
            rows.append(["slowed", "\(summary.slowdowns)", "answers asked to wait (429 or 503)"])
        }
        if summary.retries > 0 {
            rows.append(["retried", "\(summary.retries)", "requests, after a bad answer or a broken connection"])
        }
        rows += Self.rows("skipped", summary.skipped)
        rows += Self.rows("failed", summary.failed)
        var text = Table(rows: rows, numeric: [1]).text
        guard !failures.isEmpty else { return text }
        text += "\n" + Table(rows: failures).text
        if failedForms > failures.count { text += "and \(failedForms - failures.count) more\n" }
        return text
    }

    private static func rows(_ title: String, _ reasons: [String: Int]) -> [[String]] {
        reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { [title, "\($0.value)", $0.key] }
    }

    // MARK: - JSON

    private static func json(_ event: WarmEvent) -> JSONText? {
        switch event {
        case .total(let count): .object([("event", "total"), ("assets", .integer(count))])
        case .resumed(let count): .object([("event", "resumed"), ("done", .integer(count))])
        case .began: nil
        case .done(let asset, let made): .object(head("done", asset) + [("forms", .array(made.map(json)))])
        case .skipped(let asset, let reason): .object(head("skipped", asset) + [("reason", .string(reason))])
        case .failed(let asset, let form, let reason):
            .object(head("failed", asset) + [("form", .string(form)), ("reason", .string(reason))])
        case .finished(let summary): json(summary)
        }
    }

    private static func head(_ event: String, _ asset: Asset) -> [(String, JSONText)] {
        [("event", .string(event)), ("id", .string(asset.id)), ("name", .string(asset.name))]
    }

    private static func json(_ form: WarmedForm) -> JSONText {
        .object([
            ("form", .string(form.form)), ("means", .string(form.means.rawValue)), ("bytes", .integer(form.byteCount)),
        ])
    }

    private static func json(_ summary: WarmSummary) -> JSONText {
        func counts(_ reasons: [String: Int]) -> JSONText {
            .object(reasons.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) })
        }
        return .object([
            ("event", "finished"), ("done", .integer(summary.done)), ("resumed", .integer(summary.resumed)),
            ("skipped", counts(summary.skipped)),
            ("failed", counts(summary.failed)), ("fetched", .integer(summary.fetched)),
            ("rendered", .integer(summary.rendered)), ("present", .integer(summary.present)),
            ("fetchedBytes", .integer(summary.fetchedBytes)), ("storedBytes", .integer(summary.storedBytes)),
            ("evicted", .integer(summary.evicted)),
            ("slowdowns", .integer(summary.slowdowns)), ("retries", .integer(summary.retries)),
            ("seconds", .number(summary.seconds)),
        ])
    }
}
