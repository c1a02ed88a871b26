import TestSupport
import Testing

@testable import RenditionCache

@Suite struct FlightsTests {
    /// Holds a production until it is opened, and tells when somebody came.
    private actor Door {
        private(set) var visits = 0
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func pass() async {
            visits += 1
            guard !isOpen else { return }
            await withCheckedContinuation { waiting.append($0) }
        }

        func open() {
            isOpen = true
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
    }

    private func wait(for count: Int, on key: Int, of flights: Flights<Int, Int>) async throws {
        try await until { await flights.waiters(for: key) == count }
    }

    @Test func `fifty callers share one production`() async throws {
        let flights = Flights<Int, Int>()
        let door = Door()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await flights.run(1) {
                        await door.pass()
                        return .success(42)
                    }
                }
            }
            try await wait(for: 50, on: 1, of: flights)
            await door.open()
            for try await value in group { #expect(value == 42) }
        }
        #expect(await door.visits == 1)
    }

    @Test func `an error reaches every waiter and is not kept`() async throws {
        let flights = Flights<Int, Int>()
        await #expect(throws: RenditionError.closed) { try await flights.run(1) { .failure(.closed) } }
        #expect(try await flights.run(1) { .success(7) } == 7)
    }

    @Test func `a waiter who leaves hurts nobody, and the last one to leave cancels the work`() async throws {
        let flights = Flights<Int, Int>()
        let door = Door()
        let cancelled = Door()
        let work: Flights<Int, Int>.Work = {
            await withTaskCancellationHandler {
                await door.pass()
            } onCancel: {
                Task {
                    await cancelled.pass()
                }
                Task { await door.open() }
            }
            return .success(1)
        }
        let first = Task { try await flights.run(1, work) }
        try await wait(for: 1, on: 1, of: flights)
        let second = Task { try await flights.run(1, work) }
        try await wait(for: 2, on: 1, of: flights)
        first.cancel()
        await #expect(throws: RenditionError.cancelled) { try await first.value }
        #expect(await cancelled.visits == 0)
        second.cancel()
        await #expect(throws: RenditionError.cancelled) { try await second.value }
        try await until { await cancelled.visits > 0 }
        #expect(try await flights.run(1) { .success(2) } == 2)
    }

    @Test func `a waiter cancelled before it begins is answered`() async {
        let flights = Flights<Int, Int>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await flights.run(1) {
                while !Task.isCancelled { await Task.yield() }
                return .success(1)
            }
        }
        await #expect(throws: RenditionError.cancelled) { try await task.value }
    }

    @Test func `refusals are believed for as long as their kind deserves`() {
        let refusals = Refusals<Int>(capacity: 2)
        let gone = RenditionError.assetNotFound(channel: "c", asset: "a")
        refusals.remember(gone, for: 1, now: 100)
        #expect(refusals.current(1, now: 159) == gone)
        #expect(refusals.current(1, now: 161) == nil)
        refusals.remember(.cancelled, for: 2, now: 100)
        #expect(refusals.current(2, now: 100) == nil)
        for key in 0..<100 { refusals.remember(gone, for: key, now: 200) }
        #expect((0..<100).count { refusals.current($0, now: 200) != nil } <= 2)
    }
}
