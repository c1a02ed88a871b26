/// Fetches over HTTP: within limits, hop by hop, with a few more tries when a connection breaks.
///
/// One value serves every channel; its transfers share connections and one thread, which the first fetch starts.
final class Fetcher: Sendable {
    private let settings: FetchSettings
    private let metrics: Metrics
    private let log: Log
    private let loop: CurlLoop
    private let retryPolicy = RetryPolicy()

    /// Statuses whose `Location` is followed (RFC 9110 §15.4).
    private static let redirects = [301, 302, 303, 307, 308]

    init(settings: FetchSettings, metrics: Metrics, log: Log) {
        self.settings = settings
        self.metrics = metrics
        self.log = log
        loop = CurlLoop(settings: settings)
    }

    deinit { loop.stop() }

    /// How many transfers wait for a slot.
    var waiting: Int { loop.waiting }

    /// Ends every transfer as cancelled, and the thread; later fetches are refused.
    func shutDown() async {
        loop.stop()
        await loop.ended()
    }

    /// Fetches into `sink` and says what came with it; a status other than 2xx is an answer, not an error.
    ///
    /// The total limit counts all tries and redirects together; the sink hears `restart()` before each further try.
    func fetch(
        _ request: FetchRequest,
        into sink: any ByteSink,
        progress: FetchProgress? = nil
    ) async throws(FetchError) -> FetchResponse {
        var left = settings.totalTimeout
        var retries = 0
        while true {
            do throws(FetchError) {
                return try await attempt(request, into: sink, progress: progress, within: &left)
            } catch {
                let verdict = retryPolicy.verdict(after: error, retries: retries, jitter: .random(in: 0..<1))
                guard case .again(let wait) = verdict, wait < left else { throw error }
                log(.debug, "fetch broke, trying again", ["url": request.url, "reason": error, "wait": wait])
                do { try await Task.sleep(for: wait) } catch { throw .cancelled }
                do { try sink.restart() } catch { throw .sink("\(error)") }
                left -= wait
                retries += 1
            }
        }
    }

    /// One try: the request and its redirects.
    private func attempt(
        _ request: FetchRequest,
        into sink: any ByteSink,
        progress: FetchProgress?,
        within left: inout Duration
    ) async throws(FetchError) -> FetchResponse {
        var url = request.url
        for _ in 0...max(settings.maxRedirects, 0) {
            let response = try await hop(to: url, request, into: sink, progress: progress, within: &left)
            guard Self.redirects.contains(response.status), let location = response["Location"] else { return response }
            guard let target = url.resolving(location) else {
                throw .badURL("a redirect from \(url.redacted) to something else than http or https")
            }
            url = target
        }
        throw .tooManyRedirects(host: request.url.host, limit: settings.maxRedirects)
    }

    private func hop(
        to url: WebURL,
        _ request: FetchRequest,
        into sink: any ByteSink,
        progress: FetchProgress?,
        within left: inout Duration
    ) async throws(FetchError) -> FetchResponse {
        guard left > .zero else {
            throw .timedOut(host: url.host, phase: "total", after: settings.totalTimeout)
        }
        let plan = CurlTransfer.Plan(
            url: url,
            headers: try headers(of: request, for: url),
            policy: request.policy,
            priority: request.priority,
            maxBytes: request.maxBytes ?? settings.maxBytes,
            connectTimeout: settings.connectTimeout,
            stallTimeout: settings.stallTimeout,
            totalTimeout: left,
            sink: sink,
            progress: progress
        )
        let outcome = await loop.run(CurlTransfer(plan))
        left -= outcome.elapsed
        count(outcome)
        return try outcome.result.get()
    }

    /// What is sent to that hop; custom fields and credentials stay with the channel's own origin.
    private func headers(of request: FetchRequest, for url: WebURL) throws(FetchError) -> [HeaderField] {
        var fields = request.headers
        if request.policy.isOwn(url) { fields += request.ownHeaders }
        if let tag = request.validators.entityTag { fields.append(HeaderField("If-None-Match", tag)) }
        if let seconds = request.validators.modifiedSeconds {
            fields.append(HeaderField("If-Modified-Since", HTTPDate.format(seconds: seconds)))
        }
        // A line break would begin a field of its own.
        guard let broken = fields.first(where: { !$0.isSendable }) else { return fields }
        throw .transport(host: url.host, reason: "the header field \(broken.name) cannot be sent")
    }

    private func count(_ outcome: CurlTransfer.Outcome) {
        metrics.add(.originRequests)
        switch outcome.result {
        case .success(let response):
            metrics.add(.originBytes, response.byteCount)
            if response.status >= 500 { metrics.add(.originFailures) }
        case .failure(.cancelled): break
        case .failure: metrics.add(.originFailures)
        }
    }
}

extension HeaderField {
    /// Whether it is one line (RFC 9110 §5.5).
    fileprivate var isSendable: Bool {
        !name.isEmpty && ![name, value].contains { text in text.utf8.contains { [0x0D, 0x0A, 0x00].contains($0) } }
    }
}
