import CCurl
import Glibc
import Synchronization

/// One hop of a fetch: owns one easy handle, and what has arrived so far.
///
/// Made by whoever asks, then handed to the fetching thread, which alone touches it until it has ended.
final class CurlTransfer: @unchecked Sendable {
    // Safe to send: `CurlLoop` hands it over through a lock, afterwards only the fetching thread reads or writes its
    // variables; `isCancelled` is atomic.

    /// What to do, within which limits.
    struct Plan: Sendable {
        var url: WebURL
        var headers: [HeaderField]
        var form: FetchRequest.Form?
        var policy: any HopPolicy
        var priority: Urgency
        var rate: FetchRate?
        /// How long not to begin, and how long to put up with a host that has to be left alone.
        var delay: Duration
        var patience: Duration
        var maxBytes: Int
        var connectTimeout: Duration
        var stallTimeout: Duration
        var totalTimeout: Duration
        var sink: any ByteSink
        /// Whether the sink holds something of an earlier try.
        var isSinkFed: Bool
        /// What it holds, if the rest is to be asked for.
        var partial: PartialBody?
        var progress: FetchProgress?
    }

    /// How it ended.
    struct Outcome: Sendable {
        var result: Result<FetchResponse, FetchError>
        /// How long it ran, its wait for a slot not counted.
        var elapsed: Duration = .zero
        /// Whether it was begun at all.
        var isBegun = false
        /// Decoded bytes that came.
        var byteCount = 0
        /// Whether they are the rest of what came before.
        var isResumed = false
        /// What became of the sink.
        var sink = SinkState.untouched
    }

    /// What a transfer did to its sink.
    enum SinkState: Sendable {
        case untouched
        /// It holds a body or a part of one, which may be resumed if `partial` says how.
        case fed(partial: PartialBody?)
    }

    let plan: Plan
    /// Set by whoever asked; the fetching thread looks before it begins.
    let isCancelled = Atomic(false)
    /// Resumed once, by `CurlEngine` or, if that has ended, by `CurlLoop`.
    var continuation: CheckedContinuation<Outcome, Never>?

    let easy: UnsafeMutableRawPointer?
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    private var clock: TransferClock?
    private var head = ResponseHead()
    private var errorBody: [UInt8] = []
    /// Whether the body is what was asked for, or its rest.
    private var isForSink = false
    /// Whether it is the rest; then of so many bytes in all.
    private var resumedTotal: Int?
    /// Decoded bytes in the sink, those of earlier tries included.
    private var received = 0
    /// Those of earlier tries.
    private var inherited = 0
    /// Whether what the sink holds may be gone on with.
    private var isConsistent = true
    private var failure: FetchError?
    private var refusedAddress: IPAddress?

    /// Most bytes kept of a body that is not for the sink.
    private static let maxErrorBytes = 65_536

    init(_ plan: Plan) {
        self.plan = plan
        easy = curl_easy_init()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fieldList)
    }

    /// The host, for messages.
    var host: String { plan.url.host }

    /// When it has to be stopped, unless something arrives; nil before it begins.
    var deadline: TransferClock.Deadline? { clock?.deadline(stall: plan.stallTimeout, total: plan.totalTimeout) }

    /// Sets every option; called right before libcurl takes it on.
    ///
    /// An option that cannot be set is a failure, because each of them is a limit or a rule.
    func begin() -> CURLcode {
        clock = TransferClock()
        for field in plan.headers {
            // libcurl takes `Name:` for the wish to leave the field out, `Name;` for an empty one.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            guard let longer = curl_slist_append(fieldList, line) else { return CURLE_OUT_OF_MEMORY }
            fieldList = longer
        }
        // Unretained: the engine holds the transfer until libcurl has let go of the handle.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let codes =
            numbers.map { ccurl_set_long(easy, $0, $1) } + texts.map { ccurl_set_string(easy, $0, $1) } + [
                ccurl_set_headers(easy, fieldList),
                ccurl_set_callbacks(easy, receiveHeader, receiveBody, openSocket, checkPeer, context),
            ]
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    private var texts: [(CURLoption, String)] {
        [
            (CURLOPT_URL, plan.url.text), (CURLOPT_PROTOCOLS_STR, "http,https"),
            // An empty name overrides the environment's proxies.
            (CURLOPT_PROXY, ""),
            // The rest of a body fits its beginning only as it is.
            (CURLOPT_ACCEPT_ENCODING, plan.partial == nil ? "gzip, deflate" : "identity"),
            (CURLOPT_USERAGENT, "rcache/0.1"),
        ] + (plan.form.map { [(CURLOPT_COPYPOSTFIELDS, $0.text)] } ?? [])
    }

    private var numbers: [(CURLoption, Int)] {
        [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_CONNECTTIMEOUT_MS, max(plan.connectTimeout.milliseconds, 1)), (CURLOPT_TCP_NODELAY, 1),
            // Without it, giving up during a look-up waits for the resolver.
            (CURLOPT_QUICK_EXIT, 1),
        ] + (plan.form.map(Self.postNumbers) ?? [])
    }

    private static func postNumbers(_ form: FetchRequest.Form) -> [(CURLoption, Int)] {
        [
            (CURLOPT_POST, 1), (CURLOPT_POSTFIELDSIZE, form.text.utf8.count),
            // On a kept connection that turns out to be dead, libcurl would send it a second time by itself.
            (CURLOPT_FRESH_CONNECT, 1),
        ]
    }

    /// Ends it, if its time is over, with the limit that was passed.
    func failIfLate(_ now: ContinuousClock.Instant) -> Bool {
        guard let deadline, now >= deadline.instant else { return false }
        failure = .timedOut(host: host, phase: deadline.phase, after: deadline.limit)
        return true
    }

    /// Says how it ended; `code` is libcurl's word, nil if it was stopped from here for `reason` or its own failure.
    func outcome(_ code: CURLcode?, reason: FetchError? = nil) -> Outcome {
        Outcome(
            result: reason.map { .failure($0) } ?? result(code),
            elapsed: clock?.elapsed ?? .zero,
            isBegun: clock != nil,
            byteCount: received - inherited,
            isResumed: resumedTotal != nil,
            sink: isForSink ? .fed(partial: partial) : .untouched
        )
    }

    private func result(_ code: CURLcode?) -> Result<FetchResponse, FetchError> {
        // The status is known and says it all, even if the rest of an error page never came.
        if head.isComplete, !isForSink { return .success(response) }
        if let failure { return .failure(failure) }
        guard code == CURLE_OK, head.isComplete else { return .failure(error(for: code ?? CURLE_OK)) }
        guard received == resumedTotal ?? received else { return .failure(cut) }
        return .success(response)
    }

    /// A body of two responses is told as the first of them, as if it had come whole.
    private var response: FetchResponse {
        FetchResponse(
            status: resumedTotal == nil ? head.status : 200,
            headers: resumedTotal == nil ? head.fields : plan.partial?.fields ?? [],
            url: plan.url,
            byteCount: received,
            errorBody: errorBody
        )
    }

    /// What the sink holds, if its rest can be asked for.
    private var partial: PartialBody? {
        guard isConsistent else { return nil }
        guard resumedTotal == nil else { return plan.partial.map { PartialBody($0, byteCount: received) } }
        return PartialBody(head, from: plan.url, byteCount: received)
    }

    private var cut: FetchError {
        .cut(host: host, received: received, expected: resumedTotal ?? head.contentLength)
    }

    private func error(for code: CURLcode) -> FetchError {
        let reason = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK:
            if let refusedAddress { return .addressRefused(host: host, address: refusedAddress.description) }
            return .cannotConnect(host: host, reason: reason)
        case CURLE_COULDNT_RESOLVE_HOST: return .cannotConnect(host: host, reason: reason)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(host: host, phase: "connect", after: plan.connectTimeout)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return cut
        case CURLE_URL_MALFORMAT: return .badURL(plan.url.redacted)
        // The scheme has been looked at: the server speaks something else.
        case CURLE_UNSUPPORTED_PROTOCOL: return .transport(host: host, reason: "an answer that is not HTTP")
        default: return .transport(host: host, reason: reason)
        }
    }

    // MARK: What libcurl calls, on the fetching thread

    /// Takes one line of the head; false ends the transfer.
    fileprivate func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        clock?.touch()
        guard !head.isComplete else { return true }
        guard head.take(line) else {
            failure = .transport(host: host, reason: "a response head of more than \(ResponseHead.maxBytes) bytes")
            return false
        }
        return head.isComplete ? beginBody() : true
    }

    /// Decides where the body goes.
    private func beginBody() -> Bool {
        let verdict = plan.partial?.verdict(head) ?? (head.isGood ? .whole : .other)
        isForSink = verdict != .other
        switch verdict {
        case .other: return true
        case .mismatch:
            inherit()
            return failInconsistent()
        case .rest(let total):
            inherit()
            resumedTotal = total
            return isWithinLimit(total)
        case .whole:
            if plan.isSinkFed, !pass({ try $0.restart() }) { return false }
            guard let length = head.contentLength else { return true }
            return isWithinLimit(length) && pass { try $0.expect(byteCount: length) }
        }
    }

    /// Ends it so that the next try begins from the first byte.
    private func failInconsistent() -> Bool {
        isConsistent = false
        failure = .cut(host: host, received: received, expected: resumedTotal ?? plan.partial?.total)
        return false
    }

    private func inherit() {
        inherited = plan.partial?.byteCount ?? 0
        received = inherited
    }

    private func isWithinLimit(_ byteCount: Int) -> Bool {
        if byteCount <= plan.maxBytes { return true }
        failure = .tooLarge(host: host, limit: plan.maxBytes)
        return false
    }

    /// Takes a piece of the decoded body; false ends the transfer.
    fileprivate func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard isForSink else {
            clock?.touch()
            errorBody += piece.prefix(Self.maxErrorBytes - errorBody.count)
            return errorBody.count < Self.maxErrorBytes
        }
        // A rest that is longer than announced is none.
        guard received + piece.count <= resumedTotal ?? .max else { return failInconsistent() }
        received += piece.count
        guard isWithinLimit(received), pass({ try $0.append(piece) }) else { return false }
        plan.progress?(received, resumedTotal ?? head.contentLength)
        // After the sink, so that a slow disk is not taken for a silent origin.
        clock?.touch()
        return true
    }

    private func pass(_ body: (any ByteSink) throws -> Void) -> Bool {
        do {
            try body(plan.sink)
            return true
        } catch {
            failure = .sink("\(error)")
            return false
        }
    }

    /// Whether that address may be connected to; remembers the last one that may not.
    fileprivate func permits(_ address: IPAddress?) -> Bool {
        guard let address else { return false }
        if plan.policy.permits(address, for: plan.url) { return true }
        refusedAddress = address
        return false
    }

    /// A connection stands, new or used before, and the request is about to be sent.
    fileprivate func connected() { clock?.touch() }
}

/// The transfer behind a callback's context.
private func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let receiveHeader: ccurl_piece = { bytes, size, count, context in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.takeHeader(line) == true ? line.count : 0
}

private let receiveBody: ccurl_piece = { bytes, size, count, context in
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.takeBody(piece) == true ? piece.count : 0
}

/// Opens the socket of a new connection, unless its address may not be asked: then nothing is ever sent there.
private let openSocket: curl_opensocket_callback = { context, _, address in
    guard let address, let transfer = transfer(context) else { return -1 }
    var bytes = [UInt8](repeating: 0, count: 16)
    let length = Int(ccurl_address_bytes(address, &bytes))
    guard transfer.permits(IPAddress(bytes: Array(bytes.prefix(length)))) else { return -1 }
    // Closed on exec, because render workers are started at any time.
    let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, type, address.pointee.protocol)
}

/// Checks the peer again before each request: a kept connection was opened under another hop's policy.
private let checkPeer: curl_prereq_callback = { context, peer, _, _, _ in
    guard let transfer = transfer(context), let peer, transfer.permits(IPAddress(String(cString: peer))) else {
        return CURL_PREREQFUNC_ABORT
    }
    transfer.connected()
    return CURL_PREREQFUNC_OK
}
