/// Single flight: one production a key, shared by all who wait for it.
///
/// The actor only keeps the books; the work runs outside it. A flight belongs to its waiters: whoever leaves is answered
/// at once, and the last to leave cancels the work.
actor Flights<Key: Hashable & Sendable, Value: Sendable> {
    typealias Work = @concurrent @Sendable () async -> Result<Value, RenditionError>
    private typealias Waiter = CheckedContinuation<Result<Value, RenditionError>, Never>

    private struct Flight {
        let number: Int
        let task: Task<Void, Never>
        let urgency: Urgency
        var waiters: [Int: Waiter]
    }

    private var flights: [Key: Flight] = [:]
    private var lastNumber = 0

    /// How many waiters have a flight under way for `key`; for tests and `explain`.
    func waiters(for key: Key) -> Int { flights[key]?.waiters.count ?? 0 }

    /// Joins the flight for `key`, or starts it with `work`.
    ///
    /// - Parameters:
    ///   - urgency: how urgent it is to this caller; that of the flight, which `work` hands on, rises to it.
    ///   - joined: called when another's flight is joined.
    func run(
        _ key: Key,
        urgency: Urgency = .live,
        joined: @Sendable () -> Void = {},
        _ work: @escaping Work
    ) async throws(RenditionError) -> Value {
        lastNumber += 1
        let number = lastNumber
        let outcome: Result<Value, RenditionError> = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                enrol(waiter, as: number, on: key, urgency, joined: joined, work)
            }
        } onCancel: {
            Task { await self.leave(number, key) }
        }
        return try outcome.get()
    }

    /// Looks up and inserts in one stretch, so that two callers can never both start.
    private func enrol(
        _ waiter: Waiter,
        as number: Int,
        on key: Key,
        _ urgency: Urgency,
        joined: () -> Void,
        _ work: @escaping Work
    ) {
        guard flights[key] == nil else {
            flights[key]?.waiters[number] = waiter
            flights[key]?.urgency.follow(urgency)
            joined()
            return
        }
        let task = Task {
            let outcome = await work()
            self.finish(number, key, with: outcome)
        }
        flights[key] = Flight(number: number, task: task, urgency: urgency, waiters: [number: waiter])
    }

    private func finish(_ number: Int, _ key: Key, with outcome: Result<Value, RenditionError>) {
        guard let flight = flights[key], flight.number == number else { return }
        flights[key] = nil
        for waiter in flight.waiters.values { waiter.resume(returning: outcome) }
    }

    private func leave(_ number: Int, _ key: Key) {
        guard let waiter = flights[key]?.waiters.removeValue(forKey: number) else { return }
        if let flight = flights[key], flight.waiters.isEmpty {
            flights[key] = nil
            flight.task.cancel()
        }
        waiter.resume(returning: .failure(.cancelled))
    }
}

extension Flights {
    /// The same for work that throws, whose error is remembered for as long as its kind deserves.
    func run(
        _ key: Key,
        urgency: Urgency = .live,
        remembering refusals: Refusals<Key>,
        atMostSeconds longest: Double = .infinity,
        now: @escaping @Sendable () -> Double,
        joined: @Sendable () -> Void = {},
        _ work: @escaping @concurrent @Sendable () async throws(RenditionError) -> Value
    ) async throws(RenditionError) -> Value {
        try await run(key, urgency: urgency, joined: joined) {
            do throws(RenditionError) {
                return .success(try await work())
            } catch {
                refusals.remember(error, for: key, now: now(), atMostSeconds: longest)
                return .failure(error)
            }
        }
    }
}
