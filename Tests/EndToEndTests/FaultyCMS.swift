import Foundation
import Synchronization
import TestSupport

/// An OCM with many pictures that answers badly now and then, and whose tokens expire; what goes wrong is decided by the
/// path and the number of the try, so every run sees the same faults.
final class FaultyCMS: Sendable {
    /// How an answer goes wrong.
    enum Fault: String, CaseIterable {
        case tooManyRequests, serverError, stall, cut
    }

    /// What has happened so far.
    struct Record {
        /// How often each picture's native was sent without a fault.
        var sent: [String: Int] = [:]
        /// How many that were.
        var sentInAll = 0
        var faults: [Fault: Int] = [:]
        var tokens = 0
        /// Requests that came with no token or an expired one.
        var refused = 0
        fileprivate var tries: [String: Int] = [:]
        fileprivate var usesLeft = 0
        /// What happens before the answer with which so many natives have been sent.
        fileprivate var alarm: (sent: Int, action: @Sendable () -> Void)?
    }

    private final class Shared: Sendable {
        let count: Int
        let record = Mutex(Record())
        /// Opened at the end, so that no thread stays behind.
        let stalled = Gate()

        init(count: Int) { self.count = count }
    }

    /// Requests that a token is good for.
    private static let usesOfToken = 60
    private static let prefix = "/content/published/api/v1.1/"
    private let shared: Shared
    let server: LoopbackOrigin

    init(pictures count: Int) throws {
        let shared = Shared(count: count)
        self.shared = shared
        server = try LoopbackOrigin { Self.answer($0, shared) }
    }

    deinit { shared.stalled.open() }

    var record: Record { shared.record.withLock { $0 } }
    /// How many natives were sent without a fault.
    var sent: Int { shared.record.withLock { $0.sentInAll } }

    /// Does something before the answer with which `sent` natives have been sent without a fault; nil for never.
    func beforeAnswer(_ sent: Int?, _ action: @escaping @Sendable () -> Void) {
        shared.record.withLock { $0.alarm = sent.map { ($0, action) } }
    }

    /// The channel, as `rcache.json` has it.
    var channel: String {
        """
        kind: "ocm", url: "\(server.url)", auth: { type: "oauth", tokenURL: "\(server.url)/oauth/token",
          clientID: "rcache", clientSecret: "open sesame" }
        """
    }

    private static func answer(_ request: LoopbackOrigin.Request, _ shared: Shared) -> LoopbackOrigin.Response {
        if request.path == "/oauth/token" { return token(shared) }
        guard isAuthorised(request, shared) else {
            return .json(#"{"title":"Unauthorized","status":401}"#, status: 401)
        }
        let path = String(request.path.dropFirst(prefix.count))
        switch fault(of: request.target, shared) {
        case .tooManyRequests?:
            let wait = request.target.utf8.count.isMultiple(of: 2) ? [("Retry-After", "1")] : []
            return .init(429, headers: wait)
        case .serverError?: return .init(500, type: "text/html", body: "<html>Internal Server Error</html>".utf8)
        case .stall?: return picture(path, shared).paused(after: 1, by: shared.stalled)
        case .cut?: return picture(path, shared).cut(after: 100)
        case nil: break
        }
        if path.hasPrefix("items") { return listing(request, shared) }
        let id = String(path.split(separator: "/").dropFirst().first ?? "")
        let action: (@Sendable () -> Void)? = shared.record.withLock { record in
            record.sent[id, default: 0] += 1
            record.sentInAll += 1
            guard let alarm = record.alarm, record.sentInAll >= alarm.sent else { return nil }
            record.alarm = nil
            return alarm.action
        }
        action?()
        return picture(path, shared)
    }

    private static func token(_ shared: Shared) -> LoopbackOrigin.Response {
        let number = shared.record.withLock { record in
            record.tokens += 1
            record.usesLeft = usesOfToken
            return record.tokens
        }
        return .json(#"{"access_token":"token-\#(number)","token_type":"Bearer","expires_in":3600}"#)
    }

    private static func isAuthorised(_ request: LoopbackOrigin.Request, _ shared: Shared) -> Bool {
        shared.record.withLock { record in
            guard request["Authorization"] == "Bearer token-\(record.tokens)", record.usesLeft > 0 else {
                record.refused += 1
                return false
            }
            record.usesLeft -= 1
            return true
        }
    }

    /// Of a thousand answers, 20 are 429, 10 are 500, 5 stall and 2 are cut short; a page of the catalogue is never cut.
    private static func fault(of target: String, _ shared: Shared) -> Fault? {
        shared.record.withLock { record in
            record.tries[target, default: 0] += 1
            let seed = "\(target) \(record.tries[target] ?? 0)".utf8.reduce(UInt64(1469598103934665603)) {
                ($0 ^ UInt64($1)) &* 1_099_511_628_211
            }
            let isPicture = target.contains("/assets/")
            let fault: Fault? =
                switch (seed >> 20) % 1000 {
                case 0..<20: .tooManyRequests
                case 20..<30: .serverError
                case 30..<35 where isPicture: .stall
                case 35..<37 where isPicture: .cut
                default: nil
                }
            if let fault { record.faults[fault, default: 0] += 1 }
            return fault
        }
    }

    private static func picture(_ path: String, _ shared: Shared) -> LoopbackOrigin.Response {
        let number = Int(path.filter(\.isNumber)) ?? 0
        return .init(
            type: "image/png",
            body: TestPicture.gradient(width: 16 + number % 97, height: 8 + number / 97, seed: number)
        )
    }

    private static func listing(_ request: LoopbackOrigin.Request, _ shared: Shared) -> LoopbackOrigin.Response {
        let offset = Int(request.query["offset"] ?? "") ?? 0
        let limit = Int(request.query["limit"] ?? "") ?? 100
        let rows = (offset..<max(offset, min(offset + limit, shared.count))).map { number in
            """
            {"id":"P\(number)","type":"Image","typeCategory":"DigitalAssetType","name":"p\(number).png",
             "mimeType":"image/png","fileGroup":"Images",
             "updatedDate":{"value":"2026-01-01T00:00:00.000Z","timezone":"UTC"}}
            """
        }
        return .json(
            """
            {"hasMore":\(offset + rows.count < shared.count),"offset":\(offset),"count":\(rows.count),
             "limit":\(limit),"totalResults":\(shared.count),"items":[\(rows.joined(separator: ","))],"links":[]}
            """
        )
    }
}
