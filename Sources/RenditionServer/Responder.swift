import CHTTPServer
import RenditionCache
import Synchronization

/// Answers requests: from a ready response, from the cache, or after a wait.
///
/// Everything but the work of a parked request runs on the server library's own threads.
final class Responder: Sendable {
    /// Longest request target, in bytes.
    static let maxTargetBytes = 8192

    let service: any RenditionServing
    let log: Log
    private let routes: Routes
    private let ready = ReadyResponses()
    private let watch: LeaveWatch
    private let authority: String
    private let now: @Sendable () -> Double
    private let draining = Atomic(false)

    /// A responder of its own for each server.
    ///
    /// - Parameters:
    ///   - authority: address and port, for links in answers to requests without a Host.
    ///   - now: seconds since 1970.
    init(
        _ service: any RenditionServing,
        watch: LeaveWatch,
        authority: String,
        log: Log,
        now: @escaping @Sendable () -> Double
    ) {
        self.service = service
        self.watch = watch
        self.authority = authority
        self.log = log
        self.now = now
        routes = Routes(service, waiting: { watch.count })
    }

    /// Whether every answer ends its connection.
    var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

    /// From here on every answer ends its connection.
    func drain() { draining.store(true, ordering: .sequentiallyConsistent) }

    /// The head is complete; answering here ends the connection, so only what must end it is answered.
    func begin(_ connection: OpaquePointer, _ client: Connection) -> MHD_Result {
        if client.target.count > Self.maxTargetBytes {
            return refuse(.targetTooLong(limit: Self.maxTargetBytes), Self.unread, connection, client)
        }
        return client.head.refusal.map { refuse($0, Self.unread, connection, client) } ?? .YES
    }

    /// The whole request is there.
    func answer(_ connection: OpaquePointer, _ client: Connection) -> MHD_Result {
        if client.head.method == .options { return send(Self.options, connection, client) }
        if let response = readyResponse(connection, client) { return send(response, connection, client) }
        let route = routes.route(
            client.target,
            base: (client.head.isSecure ? "https://" : "http://") + (client.head.host ?? authority),
            caller: Caller(channelToken: client.head.channelToken, authorization: client.head.authorization)
        )
        switch route {
        case .answer(let answer): return send(answer, connection, client)
        case .refusal(let refusal, let surface, let isNegotiated):
            return refuse(refusal, Manner(surface: surface, isNegotiated: isNegotiated), connection, client)
        case .picture(let query):
            return picture(query.negotiated { client.accepted(AcceptClass.field(of: connection)) }, connection, client)
        case .document(let surface, let work):
            let manner = Manner(surface: surface)
            return park(connection, client, manner) { [self] in
                do throws(Refusal) {
                    return .answer(try await work())
                } catch {
                    return failure(error, manner)
                }
            }
        }
    }

    /// The wait is over.
    func resume(_ exchange: Exchange, _ connection: OpaquePointer, _ client: Connection) -> MHD_Result {
        switch exchange.outcome {
        case .picture(let picture)?:
            guard let response = ReadyResponse(picture, second: Int(now()), isClosing: isDraining) else {
                return refuse(.unreadable, picture.query.manner, connection, client)
            }
            return send(response, connection, client)
        case .answer(let answer)?: return send(answer, connection, client)
        case .gone?, nil: return .NO
        }
    }

    /// The manner of answers to what has not been read as far as its path.
    private static let unread = Manner(surface: .own)
    private static let options = Answer(status: 204, fields: [HeaderField("Allow", "GET, HEAD, OPTIONS")])

    // MARK: - Pictures

    /// The response that is ready for the target, true for this second; nil if there is none or its picture is not fresh.
    private func readyResponse(_ connection: OpaquePointer, _ client: Connection) -> ReadyResponse? {
        guard isTargetEnough(client),
            let kept = ready.response(for: client.target, to: { client.accepted(AcceptClass.field(of: connection)) })
        else { return nil }
        let time = now()
        if kept.isTrue(at: time) {
            // Nobody else hears of this hit; all others the service counts.
            service.metrics.add(.hits)
            return kept
        }
        guard let rendition = service.cached(kept.picture.request) else {
            ready.forget(client.target, accepted: kept.picture.query.accepted)
            return nil
        }
        var picture = kept.picture
        picture.rendition = rendition
        guard let response = ReadyResponse(picture, second: Int(time), earlier: kept) else { return nil }
        ready.keep(response, for: client.target)
        return response
    }

    /// Whether nothing but the target decides the answer, and for a negotiated one what the client accepts.
    ///
    /// What a credential outside of it has opened must not be open to others.
    private func isTargetEnough(_ client: Connection) -> Bool {
        client.head.channelToken == nil && client.head.authorization == nil && !isDraining
    }

    private func picture(_ query: PictureQuery, _ connection: OpaquePointer, _ client: Connection) -> MHD_Result {
        // Only the first candidate: a later one is meant only if the earlier ones do not exist.
        if let first = query.candidates.first, let rendition = service.cached(first),
            let response = ReadyResponse(
                Picture(rendition: rendition, handling: .hit, request: first, query: query),
                second: Int(now()),
                isClosing: isDraining
            )
        {
            if isTargetEnough(client) { ready.keep(response, for: client.target) }
            return send(response, connection, client)
        }
        return park(connection, client, query.manner) { [self] in await produce(query) }
    }

    private func produce(_ query: PictureQuery) async -> Exchange.Outcome {
        var missing: RenditionError?
        for request in query.candidates {
            do throws(RenditionError) {
                let outcome = try await service.rendition(for: request, priority: .live, progress: nil)
                return .picture(Picture(outcome, request: request, query: query))
            } catch {
                guard error.isAbsence else { return failure(.rendition(error), query.manner) }
                missing = missing ?? error
            }
        }
        return failure(missing.map { .rendition($0) } ?? .notFound, query.manner)
    }

    private func park(
        _ connection: OpaquePointer,
        _ client: Connection,
        _ manner: Manner,
        _ work: @escaping @Sendable () async -> Exchange.Outcome
    ) -> MHD_Result {
        guard watch.hasRoom else { return refuse(.tooManyWaiting, manner, connection, client) }
        let exchange = Exchange(suspending: connection, watch: watch, manner: manner)
        client.phase = .parked(exchange)
        exchange.run(work)
        return .YES
    }

    private func failure(_ refusal: Refusal, _ manner: Manner) -> Exchange.Outcome {
        log(refusal)
        return .answer(ErrorResponse.answer(refusal, manner))
    }
}

extension RenditionError {
    /// Whether there is no such thing, so that another reading of the request may be meant.
    fileprivate var isAbsence: Bool {
        switch self {
        case .assetNotFound, .renditionNotFound: true
        default: false
        }
    }
}
