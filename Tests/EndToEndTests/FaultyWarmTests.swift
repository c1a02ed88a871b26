import Foundation
import TestSupport
import Testing

/// A warm of a channel whose CMS answers badly now and then, killed and begun again many times.
///
/// `make soak-warm` runs it with 10,000 pictures and ten kills.
@Suite("A warm against a faulty CMS", .timeLimit(.minutes(30)))
struct FaultyWarmTests {
    private static func number(_ name: String, or fallback: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? fallback
    }
    private static let pictures = number("RCACHE_SOAK_PICTURES", or: 400)
    private static let kills = number("RCACHE_SOAK_KILLS", or: 3)
    private static let concurrency = 16

    /// Runs `rcache warm` until it ends or the CMS is about to send the picture number `sent`; gives the identifiers it called done.
    private func warm(_ folder: TemporaryFolder, _ cms: FaultyCMS, killAfter sent: Int?) async throws -> (
        run: CommandRun, done: Set<String>
    ) {
        let command = try RunningCommand(
            ["warm", "--json", "--rendition", "native", "--concurrency", "\(Self.concurrency)"],
            in: folder.path,
            limit: .seconds(1200)
        )
        let process = command.identifier
        cms.beforeAnswer(sent) { kill(process, SIGKILL) }
        let run = await command.end()
        // The last line of a killed one may be half a line.
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: true)
        let events = lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        return (run, Set(events.filter { $0["event"] as? String == "done" }.compactMap { $0["id"] as? String }))
    }

    @Test func `every picture is accounted for, however often it is killed, and none that was done comes twice`()
        async throws
    {
        let folder = try TemporaryFolder()
        let cms = try FaultyCMS(pictures: Self.pictures)
        try folder.write(
            """
            { cache: { directory: "cache", keepFree: 0 }, fetch: { stallTimeout: "2 s" },
              channels: { blog: { \(cms.channel) } } }
            """.utf8,
            to: "rcache.json"
        )
        let began = ContinuousClock.now
        var acknowledged: [String: Int] = [:]
        for cycle in 1...Self.kills {
            let (run, done) = try await warm(folder, cms, killAfter: cycle * Self.pictures / (Self.kills + 1))
            #expect(run.status == -SIGKILL, "cycle \(cycle): \(run.messages.suffix(300))")
            let sent = cms.record.sent
            for id in done where acknowledged[id] == nil { acknowledged[id] = sent[id] }
        }
        let (run, _) = try await warm(folder, cms, killAfter: nil)
        let end = try #require(try run.objects().last)
        let record = cms.record
        let failed = (end["failed"] as? [String: Int] ?? [:]).values.reduce(0, +)
        #expect(end["done"] as? Int == Self.pictures && failed == 0, "\(end)")
        #expect(run.status == 0)
        #expect((end["resumed"] as? Int ?? 0) > 0)
        // The end of a short catalogue may have met with no fault.
        let troubles = try #require(end["slowdowns"] as? Int) + (try #require(end["retries"] as? Int))
        #expect(troubles > 0 || Self.pictures < 5000)
        let again = acknowledged.filter { record.sent[$0.key] != $0.value }
        #expect(again.isEmpty, "called done, and yet asked for again: \(again.keys.sorted())")
        // What was under way when it was killed comes again, and nothing else.
        let twice = record.sent.values.reduce(0) { $0 + $1 - 1 }
        #expect(record.sent.count == Self.pictures && twice <= Self.kills * Self.concurrency)
        // Two in a thousand do not come among four hundred.
        let faults = FaultyCMS.Fault.allCases.filter { $0 != .cut || Self.pictures >= 5000 }
        for fault in faults { #expect(record.faults[fault] != nil, "\(fault) never came") }
        #expect(record.tokens > Self.kills + 1 && record.refused > 0)
        let before = cms.sent
        let (second, _) = try await warm(folder, cms, killAfter: nil)
        #expect(second.status == 0 && cms.sent == before)
        print(
            """
            \(Self.pictures) pictures, \(Self.kills) kills, \(began.duration(to: .now)): faults \(record.faults), \
            \(record.tokens) tokens, \(record.refused) refused, \(acknowledged.count) called done before a kill, \
            \(twice) sent twice because they were under way
            """
        )
    }
}
