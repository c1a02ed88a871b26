import Testing

@testable import RenditionCache

@Suite struct RetryPolicyTests {
    private let policy = RetryPolicy(FetchSettings())

    private static let broken: [FetchError] = [
        .cut(host: "h", received: 1, expected: 2), .cannotConnect(host: "h", reason: "refused"),
        .transport(host: "h", reason: "x"),
    ]
    private static let stall = FetchError.timedOut(host: "h", phase: "stall", after: .seconds(10))
    private static let hopeless: [FetchError] = [
        .timedOut(host: "h", phase: "total", after: .seconds(1)),
        .timedOut(host: "h", phase: "slot", after: .seconds(1)),
        .timedOut(host: "h", phase: "connect", after: .seconds(1)), .tooLarge(host: "h", limit: 1),
        .tooManyRedirects(host: "h", limit: 5), .addressRefused(host: "h", address: "::1"), .badURL("x"), .sink("full"),
        .busy(host: "h:443", status: 429, wait: .milliseconds(4200)),
        .resting(host: "h:443", failures: 5, wait: .milliseconds(4200)),
        .resting(host: "h:443", failures: 6, wait: .zero),
        .cancelled,
    ]

    private func answer(_ status: Int, retryAfter: String? = nil) throws -> Result<FetchResponse, FetchError> {
        let url = try #require(WebURL("http://h/"))
        let headers = retryAfter.map { [HeaderField("Retry-After", $0)] } ?? []
        return .success(FetchResponse(status: status, headers: headers, url: url, byteCount: 0, errorBody: []))
    }

    private func verdict(
        _ result: Result<FetchResponse, FetchError>,
        _ retries: Int,
        waited: Duration = .zero,
        _ priority: WorkPriority = .live,
        isRepeatable: Bool = true,
        jitter: Double = 1
    ) -> RetryPolicy.Verdict {
        policy.verdict(
            after: result,
            .init(retries: retries, waited: waited),
            priority: priority,
            isRepeatable: isRepeatable,
            now: 0,
            jitter: jitter
        )
    }

    @Test(arguments: broken) func `a broken transfer has two more tries when somebody waits, within 0.6 s`(
        _ error: FetchError
    ) {
        let verdicts = (0...2).map { verdict(.failure(error), $0) }
        #expect(verdicts == [.again(after: .milliseconds(200)), .again(after: .milliseconds(400)), .giveUp])
    }

    @Test(arguments: broken, [WorkPriority.warm, .revalidation]) func `other work has four, further apart`(
        _ error: FetchError,
        _ priority: WorkPriority
    ) {
        let waits = [500, 1000, 2000, 4000].map { RetryPolicy.Verdict.again(after: .milliseconds($0)) }
        #expect((0...4).map { verdict(.failure(error), $0, priority) } == waits + [.giveUp])
    }

    @Test(arguments: [(0.0, Duration.zero), (0.25, .milliseconds(100)), (1.0, .milliseconds(400))])
    func `jitter takes any share of the wait`(_ jitter: Double, _ wait: Duration) {
        #expect(verdict(.failure(Self.broken[0]), 1, jitter: jitter) == .again(after: wait))
    }

    @Test func `the doubling ends`() {
        var settings = FetchSettings()
        settings.warmRetries = 1000
        let policy = RetryPolicy(settings)
        for retries in [4, 63, 64, 999] {
            let verdict = policy.verdict(
                after: .failure(Self.broken[0]),
                .init(retries: retries),
                priority: .warm,
                now: 0,
                jitter: 1
            )
            #expect(verdict == .again(after: .seconds(8)))
        }
    }

    @Test(arguments: [WorkPriority.live, .warm]) func `a stall has one more try`(_ priority: WorkPriority) {
        #expect(verdict(.failure(Self.stall), 0, priority) != .giveUp)
        #expect(verdict(.failure(Self.stall), 1, priority) == .giveUp)
    }

    @Test(arguments: hopeless, [WorkPriority.live, .warm]) func `what another try cannot mend has none`(
        _ error: FetchError,
        _ priority: WorkPriority
    ) {
        #expect(verdict(.failure(error), 0, priority) == .giveUp)
    }

    @Test(arguments: [429, 500, 502, 503, 504]) func `a status that may pass is asked for again`(_ status: Int) throws {
        #expect(verdict(try answer(status), 0) == .again(after: .milliseconds(200)))
        #expect(verdict(try answer(status), 2) == .giveUp)
        #expect(verdict(try answer(status), 3, .warm) == .again(after: .seconds(4)))
        #expect(verdict(try answer(status), 4, .warm) == .giveUp)
    }

    @Test(arguments: [200, 206, 304, 302, 400, 401, 403, 404, 408, 410, 416, 422, 501, 505])
    func `any other status is final`(_ status: Int) throws {
        for priority in [WorkPriority.live, .warm] {
            #expect(verdict(try answer(status, retryAfter: "1"), 0, priority) == .giveUp)
        }
    }

    @Test(arguments: [
        ("1", WorkPriority.live, Duration.zero, RetryPolicy.Verdict.again(after: .seconds(1))),
        ("2", .live, .zero, .again(after: .seconds(2))), ("2", .live, .milliseconds(1), .giveUp),
        ("3", .live, .zero, .giveUp), ("3", .warm, .zero, .again(after: .seconds(3))),
        ("60", .revalidation, .seconds(600), .again(after: .seconds(60))), ("61", .warm, .zero, .giveUp),
        ("Thu, 01 Jan 1970 00:00:02 GMT", .live, .zero, .again(after: .seconds(2))),
        ("0", .warm, .zero, .again(after: .milliseconds(500))),
        ("later", .warm, .zero, .again(after: .milliseconds(500))),
    ]) func `a wish to wait is obeyed if it is short enough for who waits`(
        _ retryAfter: String,
        _ priority: WorkPriority,
        _ waited: Duration,
        _ expected: RetryPolicy.Verdict
    ) throws {
        #expect(verdict(try answer(503, retryAfter: retryAfter), 0, waited: waited, priority) == expected)
    }

    @Test func `what may have had an effect is not sent again`() throws {
        let ambiguous: [Result<FetchResponse, FetchError>] =
            [.failure(Self.broken[0]), .failure(Self.broken[2]), .failure(Self.stall)]
            + (try [500, 502, 503, 504].map { try answer($0) })
        for result in ambiguous { #expect(verdict(result, 0, isRepeatable: false) == .giveUp) }
        #expect(verdict(.failure(Self.broken[1]), 0, isRepeatable: false) != .giveUp, "nothing was sent")
        #expect(verdict(try answer(429), 0, isRepeatable: false) != .giveUp, "it was not taken")
    }

    @Test func `patience shrinks by what a waiting request has waited, other work's does not`() {
        let history = RetryPolicy.History(retries: 1, waited: .milliseconds(1500))
        #expect(policy.patience(history, priority: .live) == .milliseconds(500))
        #expect(policy.patience(.init(retries: 1, waited: .seconds(9)), priority: .live) == .zero)
        #expect(policy.patience(history, priority: .revalidation) == .seconds(60))
    }

    @Test(arguments: broken + [stall] + hopeless) func `every error is one clause`(_ error: FetchError) {
        let text = "\(error)"
        #expect(text.first?.isLowercase == true && text.last != "." && !text.contains("\n"))
    }

    @Test(arguments: [
        (
            FetchError.busy(host: "h:443", status: 429, wait: .milliseconds(4200)),
            "answered 429 and is not asked for 4.2 s more"
        ),
        (
            .resting(host: "h:443", failures: 5, wait: .milliseconds(4200)),
            "is not asked for 4.2 s more after 5 failures in a row"
        ),
        (.resting(host: "h:443", failures: 6, wait: .zero), "is being tried again after 6 failures in a row"),
    ]) func `who is not asked is told with how long and why`(_ error: FetchError, _ text: String) {
        #expect("\(error)" == "h:443 \(text)")
        #expect(error.isRefusal)
    }
}
