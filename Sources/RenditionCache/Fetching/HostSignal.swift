/// What the end of a transfer says about its host.
enum HostSignal: Equatable, Sendable {
    /// It answers; also a refusal of what was asked is an answer.
    case good
    /// It asks to be asked less (429), or not for a while (also 503 with `Retry-After`).
    case busy(status: Int, wait: Duration?)
    /// It fails; `isOverload` if less might be more.
    case failing(isOverload: Bool)
    /// Nothing: the transfer ended for a reason of our own.
    case silent

    /// Reads the end of a transfer; `now` in seconds since 1970.
    init(_ result: Result<FetchResponse, FetchError>, now: Double) {
        switch result {
        case .success(let response): self.init(response, now: now)
        case .failure(let error): self.init(error)
        }
    }

    private init(_ response: FetchResponse, now: Double) {
        let wait = response.retryAfter(now: now)
        switch (response.status, wait) {
        case (429, _), (503, _?): self = .busy(status: response.status, wait: wait)
        case (500..., _): self = .failing(isOverload: response.status == 503)
        default: self = .good
        }
    }

    private init(_ error: FetchError) {
        switch error {
        case .cannotConnect, .timedOut(_, "connect", _), .timedOut(_, "stall", _): self = .failing(isOverload: true)
        case .timedOut(_, "total", _), .transport: self = .failing(isOverload: false)
        // Without even a head the host is at fault, within a body it may be that one body.
        case .cut(_, 0, nil): self = .failing(isOverload: false)
        case .cut, .timedOut, .tooLarge, .tooManyRedirects, .addressRefused, .badURL, .sink, .cancelled, .busy,
            .resting:
            self = .silent
        }
    }
}
