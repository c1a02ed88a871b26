import RenditionCache
import Synchronization

/// Finds out which of several channels has an asset, and gets it.
struct RenditionSearch {
    let service: RenditionService
    let console: Console
    /// Whether no origin may be asked.
    let isOffline: Bool

    /// The one request that can be answered; with a single channel nobody is asked.
    func choose(_ requests: [RenditionRequest]) async throws(Failure) -> RenditionRequest {
        guard requests.count > 1, let first = requests.first else {
            guard let only = requests.first else { throw Failure(.notFound, "no channel can have it") }
            return only
        }
        var found = requests.filter { service.cached($0) != nil }
        var trouble: Failure?
        if found.isEmpty {
            for request in requests where !found.contains(where: { $0.channel == request.channel }) {
                do throws(Failure) {
                    if try await has(request) { found.append(request) }
                } catch {
                    trouble = error
                }
            }
        }
        guard let chosen = found.first else {
            if let trouble { throw trouble }
            throw Failure(.notFound, "no asset \(quoted(first.asset.description)) in \(channels(of: requests))")
        }
        guard found.allSatisfy({ $0.channel == chosen.channel }) else {
            throw .usage("\(quoted(first.asset.description)) is in \(channels(of: found)); say which with --channel")
        }
        return chosen
    }

    /// What became of a request.
    func outcome(_ request: RenditionRequest) async throws(Failure) -> RenditionOutcome {
        do throws(RenditionError) {
            if isOffline { return try await service.offlineRendition(for: request) }
            let outcome = try await service.rendition(for: request, progress: progress())
            console.endStatus()
            return outcome
        } catch {
            throw Failure(error)
        }
    }

    /// Whether the channel has it; an origin that is down may still have a picture here.
    private func has(_ request: RenditionRequest) async throws(Failure) -> Bool {
        do throws(RenditionError) {
            if isOffline {
                _ = try await service.offlineRendition(for: request)
            } else {
                _ = try await service.asset(request.asset, in: request.channel)
            }
            return true
        } catch {
            let failure = Failure(error)
            if failure.code == .notFound || (isOffline && failure.code == .unreachable) { return false }
            if failure.code == .unreachable, !isOffline, await isKept(request) { return true }
            throw failure
        }
    }

    private func isKept(_ request: RenditionRequest) async -> Bool {
        // Whatever the reason, there is nothing to show.
        (try? await service.offlineRendition(for: request)) != nil
    }

    private func channels(of requests: [RenditionRequest]) -> String {
        var names: [String] = []
        for request in requests where !names.contains(request.channel) { names.append(request.channel) }
        return names.joined(separator: ", ")
    }

    /// Shows how far the download is, ten times a second at most.
    private func progress() -> FetchProgress? {
        guard console.isLive else { return nil }
        let shown = Mutex(ContinuousClock.now)
        return { [console] received, expected in
            let isDue = shown.withLock { shown in
                guard ContinuousClock.now - shown >= .milliseconds(100) else { return false }
                shown = .now
                return true
            }
            guard isDue else { return }
            let whole = expected.map { " of \(Quantity.text(bytes: $0))" } ?? ""
            console.show(status: "fetching  \(Quantity.text(bytes: received))\(whole)")
        }
    }
}
