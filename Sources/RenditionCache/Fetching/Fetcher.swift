/// Fetches over HTTP: within limits, hop by hop, as often and as fast as hosts like it, with a few more tries.
///
/// One value serves every channel; its transfers share connections and one thread, which the first fetch starts. What is
/// learnt of a host (its pace, its wish to wait, its failures) holds for all of them.
final class Fetcher: Sendable {
    private let settings: FetchSettings
    private let metrics: Metrics
    private let log: Log
    private let loop: CurlLoop
    private let retryPolicy: RetryPolicy

    /// Statuses whose `Location` is followed (RFC 9110 §15.4).
    private static let redirects = [301, 302, 303, 307, 308]

    init(settings: FetchSettings, metrics: Metrics, log: Log) {
        self.settings = settings
        self.metrics = metrics
        self.log = log
        retryPolicy = RetryPolicy(settings)
        loop = CurlLoop(settings: settings) { Self.tell(log, metrics, $0, $1) }
    }

    deinit { loop.stop() }

    /// How many transfers wait for a slot.
    var waiting: Int { loop.waiting }

    /// Ends every transfer as cancelled, and the thread; later fetches are refused.
    func shutDown() async {
        loop.stop()
        await loop.ended()
    }

    /// One fetch on its way: what is left of its limits, and what its sink holds.
    private struct Run {
        let request: FetchRequest
        let sink: any ByteSink
        let progress: FetchProgress?
        /// What is left of the total limit.
        var left: Duration
        var history = RetryPolicy.History()
        /// How long the next try is not to begin.
        var delay: Duration = .zero
        var patience: Duration
        var isSinkFed = false
        var partial: PartialBody?
    }

    /// Fetches into `sink` and says what came with it; a status other than 2xx is an answer, not an error.
    ///
    /// The total limit counts the transfers of all tries and redirects together, the waits between them have their own. A
    /// body that breaks is resumed where that is safe; otherwise the sink hears `restart()` before the first byte of a
    /// further try. What another try could not mend, or may not be asked for now, is returned as it came.
    func fetch(
        _ request: FetchRequest,
        into sink: any ByteSink,
        progress: FetchProgress? = nil
    ) async throws(FetchError) -> FetchResponse {
        var run = Run(
            request: request,
            sink: sink,
            progress: progress,
            left: settings.totalTimeout,
            patience: retryPolicy.patience(.init(), priority: request.priority.level)
        )
        var latest = await attempt(&run)
        while let wait = wait(after: latest, run) {
            log(.debug, "fetch broke, trying again", ["url": request.url, "reason": Self.reason(latest), "wait": wait])
            run.patience = retryPolicy.patience(run.history, priority: request.priority.level)
            run.history.retries += 1
            run.history.waited += wait
            run.delay = wait
            let next = await attempt(&run)
            // What was there before says more than that nobody was asked.
            if case .failure(let error) = next, error.isRefusal { break }
            metrics.add(.originRetries)
            latest = next
        }
        return try finish(latest, run)
    }

    /// How long to wait before another try; nil for none.
    private func wait(after result: Result<FetchResponse, FetchError>, _ run: Run) -> Duration? {
        guard run.left > .zero else { return nil }
        let verdict = retryPolicy.verdict(
            after: result,
            run.history,
            priority: run.request.priority.level,
            isRepeatable: run.request.form == nil,
            now: SystemClock.seconds(),
            jitter: .random(in: 0..<1)
        )
        guard case .again(let wait) = verdict else { return nil }
        return wait
    }

    /// Hands the end over; a sink that holds a part of something else than the answer is emptied.
    private func finish(
        _ result: Result<FetchResponse, FetchError>,
        _ run: Run
    ) throws(FetchError) -> FetchResponse {
        let response = try result.get()
        guard !response.isGood, run.isSinkFed else { return response }
        do { try run.sink.restart() } catch { throw .sink("\(error)") }
        return response
    }

    /// One try: the request and its redirects.
    private func attempt(_ run: inout Run) async -> Result<FetchResponse, FetchError> {
        do throws(FetchError) {
            var url = run.request.url
            for _ in 0...max(settings.maxRedirects, 0) {
                let response = try await hop(to: url, &run)
                guard run.request.form == nil, Self.redirects.contains(response.status),
                    let location = response["Location"]
                else { return .success(response) }
                guard let target = url.resolving(location) else {
                    throw .badURL("a redirect from \(url.redacted) to something else than http or https")
                }
                url = target
            }
            throw .tooManyRedirects(host: run.request.url.host, limit: settings.maxRedirects)
        } catch {
            return .failure(error)
        }
    }

    private func hop(to url: WebURL, _ run: inout Run) async throws(FetchError) -> FetchResponse {
        guard run.left > .zero else {
            throw .timedOut(host: url.host, phase: "total", after: settings.totalTimeout)
        }
        let outcome = await loop.run(CurlTransfer(try plan(url, run)))
        // Only the first hop of a try waits before it.
        run.delay = .zero
        run.left -= outcome.elapsed
        if case .fed(let partial) = outcome.sink {
            run.isSinkFed = true
            run.partial = partial
        }
        count(outcome)
        return try outcome.result.get()
    }

    private func plan(_ url: WebURL, _ run: Run) throws(FetchError) -> CurlTransfer.Plan {
        let request = run.request
        let partial = run.partial.flatMap { $0.url == url ? $0 : nil }
        return CurlTransfer.Plan(
            url: url,
            headers: try headers(of: request, for: url, partial),
            form: request.form,
            policy: request.policy,
            priority: request.priority,
            rate: request.rate,
            delay: run.delay,
            patience: run.patience,
            maxBytes: request.maxBytes ?? settings.maxBytes,
            connectTimeout: settings.connectTimeout,
            stallTimeout: settings.stallTimeout,
            totalTimeout: run.left,
            sink: run.sink,
            isSinkFed: run.isSinkFed,
            partial: partial,
            progress: run.progress
        )
    }

    /// What is sent to that hop; custom fields and credentials stay with the channel's own origin.
    private func headers(
        of request: FetchRequest,
        for url: WebURL,
        _ partial: PartialBody?
    ) throws(FetchError) -> [HeaderField] {
        var fields = request.headers
        if request.policy.isOwn(url) { fields += request.ownHeaders }
        // Who has got a beginning knows that the validators did not hold.
        fields += partial?.requestFields ?? request.validators.fields
        // A line break would begin a field of its own.
        guard let broken = fields.first(where: { !$0.isSendable }) else { return fields }
        throw .transport(host: url.host, reason: "the header field \(broken.name) cannot be sent")
    }

    private func count(_ outcome: CurlTransfer.Outcome) {
        guard outcome.isBegun else {
            if case .failure(let error) = outcome.result, error != .cancelled { metrics.add(.originRefusals) }
            return
        }
        metrics.add(.originRequests)
        metrics.add(.originBytes, outcome.byteCount)
        if outcome.isResumed { metrics.add(.originResumes) }
        switch outcome.result {
        case .success(let response):
            if response.status >= 500 { metrics.add(.originFailures) }
            if case .busy = HostSignal(outcome.result, now: SystemClock.seconds()) { metrics.add(.originBusy) }
        case .failure(.cancelled): break
        case .failure: metrics.add(.originFailures)
        }
    }

    private static func reason(_ result: Result<FetchResponse, FetchError>) -> String {
        switch result {
        case .success(let response): "status \(response.status)"
        case .failure(let error): error.description
        }
    }

    private static func tell(_ log: Log, _ metrics: Metrics, _ authority: Authority, _ change: HostState.Change) {
        switch change {
        case .opened(let failures):
            metrics.add(.breakerOpenings)
            log(.warning, "an origin fails and is left alone for a while", ["host": authority, "failures": failures])
        case .closed: log(.info, "an origin answers again", ["host": authority])
        }
    }
}

extension FetchRequest.Validators {
    /// What is sent of them.
    fileprivate var fields: [HeaderField] {
        [
            entityTag.map { HeaderField("If-None-Match", $0) },
            modifiedSeconds.map { HeaderField("If-Modified-Since", HTTPDate.format(seconds: $0)) },
        ].compactMap { $0 }
    }
}

extension HeaderField {
    /// Whether it is one line (RFC 9110 §5.5).
    fileprivate var isSendable: Bool {
        !name.isEmpty && ![name, value].contains { text in text.utf8.contains { [0x0D, 0x0A, 0x00].contains($0) } }
    }
}
