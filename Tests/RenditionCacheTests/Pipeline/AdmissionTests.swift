import Testing

@testable import RenditionCache

@Suite struct AdmissionTests {
    @Test func `live before revalidation before warm, each in order of arrival`() {
        var admission = Admission(width: 1, queueLimit: 10, memoryBytes: 100)
        for (id, priority) in [WorkPriority.warm, .live, .revalidation, .live, .warm].enumerated() {
            #expect(admission.submit(id, priority: priority, bytes: 1) == .waits)
        }
        var order: [Int] = []
        while let id = admission.next() {
            #expect(admission.next() == nil, "one at a time")
            order.append(id)
            admission.finish(id, seconds: 1)
        }
        #expect(order == [1, 3, 2, 0, 4])
    }

    @Test func `work that becomes more urgent goes behind what is as urgent, also into a full queue`() {
        var admission = Admission(width: 1, queueLimit: 1, memoryBytes: 100)
        for (id, priority) in [WorkPriority.warm, .warm, .live, .warm].enumerated() {
            #expect(admission.submit(id, priority: priority, bytes: 1) == .waits)
        }
        admission.raise(3, to: .live)
        admission.raise(1, to: .revalidation)
        admission.raise(2, to: .warm)
        admission.raise(9, to: .live)
        #expect(admission.waiting == 4)
        var order: [Int] = []
        while let id = admission.next() {
            order.append(id)
            admission.finish(id, seconds: 1)
        }
        #expect(order == [2, 3, 1, 0])
    }

    @Test func `no more run than there are workers, nor than memory has room for`() {
        var admission = Admission(width: 3, queueLimit: 10, memoryBytes: 100)
        for (id, bytes) in [60, 30, 30, 5, 5].enumerated() { _ = admission.submit(id, priority: .live, bytes: bytes) }
        #expect(admission.next() == 0)
        #expect(admission.next() == 1)
        #expect(admission.next() == nil, "30 more would be 120 of 100")
        admission.finish(1, seconds: 1)
        #expect(admission.next() == 2)
        #expect(admission.next() == 3)
        #expect(admission.next() == nil, "three run")
        #expect(admission.busy == 3)
        #expect(admission.waiting == 1)
    }

    @Test func `a large live job is not overtaken by small warm ones, and at last runs alone`() {
        var admission = Admission(width: 4, queueLimit: 10, memoryBytes: 100)
        _ = admission.submit(1, priority: .warm, bytes: 10)
        #expect(admission.next() == 1)
        _ = admission.submit(2, priority: .live, bytes: 500)
        _ = admission.submit(3, priority: .warm, bytes: 10)
        #expect(admission.next() == nil)
        admission.finish(1, seconds: 1)
        #expect(admission.next() == 2)
        #expect(admission.next() == nil)
    }

    @Test func `each queue but that of warm work is bounded`() {
        var admission = Admission(width: 2, queueLimit: 2, memoryBytes: 100)
        for id in 0..<2 {
            #expect(admission.submit(id, priority: .live, bytes: 1) == .waits)
            #expect(admission.next() == id)
            admission.finish(id, seconds: 9)
            #expect(admission.submit(id + 10, priority: .live, bytes: 1) == .waits)
            #expect(admission.next() == id + 10)
        }
        for id in 20..<22 { #expect(admission.submit(id, priority: .live, bytes: 1) == .waits) }
        guard case .refused(let retryAfter) = admission.submit(22, priority: .live, bytes: 1) else {
            Issue.record("not refused")
            return
        }
        #expect((Duration.seconds(2)...Duration.seconds(8)).contains(retryAfter))
        for id in 30..<32 { #expect(admission.submit(id, priority: .revalidation, bytes: 1) == .waits) }
        #expect(admission.submit(32, priority: .revalidation, bytes: 1) != .waits)
        for id in 40..<90 { #expect(admission.submit(id, priority: .warm, bytes: 1) == .waits) }
        admission.withdraw(20)
        #expect(admission.submit(22, priority: .live, bytes: 1) == .waits)
    }
}
