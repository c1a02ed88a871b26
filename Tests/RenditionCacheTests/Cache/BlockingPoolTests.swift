import Dispatch
import Synchronization
import Testing

@testable import RenditionCache

@Suite struct BlockingPoolTests {
    @Test func `blocked work holds no other task up`() async throws {
        let pool = BlockingPool(threads: 8)
        let gate = DispatchSemaphore(value: 0)
        // More blocking calls than there are cores; on the cooperative pool the last task below would never run.
        let sums = await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    await pool.run {
                        gate.wait()
                        return number
                    }
                }
            }
            group.addTask {
                for _ in 0..<8 { gate.signal() }
                return 100
            }
            return await group.reduce(0, +)
        }
        #expect(sums == 128)
    }

    @Test func `an error comes back as it was thrown`() async {
        let pool = BlockingPool(threads: 1)
        await #expect(throws: SystemError("open", code: 2)) {
            try await pool.run { () throws(SystemError) -> Int in throw SystemError("open", code: 2) }
        }
    }

    @Test func `a pool that goes away finishes what was queued`() async {
        let count = Atomic(0)
        await withCheckedContinuation { continuation in
            let pool = BlockingPool(threads: 2)
            for _ in 0..<3000 {
                pool.enqueue {
                    if count.add(1, ordering: .relaxed).newValue == 3000 { continuation.resume() }
                }
            }
        }
        #expect(count.load(ordering: .relaxed) == 3000)
    }

    @Test func `an actor's work runs on its one thread, in order`() async {
        actor Numbers {
            private let executor = ThreadExecutor()
            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
            var list: [Int] = []
            func add(_ number: Int) { list.append(number) }
        }
        let numbers = Numbers()
        for number in 0..<1000 { await numbers.add(number) }
        #expect(await numbers.list == Array(0..<1000))
    }
}
