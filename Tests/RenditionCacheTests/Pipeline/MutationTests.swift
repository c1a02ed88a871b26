import Foundation
import RenditionModel
import TestSupport
import Testing

@testable import RenditionCache

/// How many damaged pictures are asked for.
private let mutationCount = ProcessInfo.processInfo.environment["RCACHE_FUZZ"].flatMap { Int($0) } ?? 0

/// Damaged pictures by the thousand through real workers; `Scripts/fuzz` sets how many.
@Suite(.enabled(if: mutationCount > 0)) struct MutationTests {
    private static let seed = ProcessInfo.processInfo.environment["RCACHE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

    @Test func `damaged pictures are rendered or refused for a reason, and the service goes on`() async throws {
        let pool = Pool(workers: 2, queuePerWorker: 100)
        let pictures = try await Self.pictures(pool)
        let before = try Self.residentBytes()
        var outcomes: [String: Int] = [:]
        try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<mutationCount {
                if index >= 4, let outcome = try await group.next() { outcomes[outcome, default: 0] += 1 }
                group.addTask { try await Self.outcome(of: index, pictures, pool) }
            }
            for try await outcome in group { outcomes[outcome, default: 0] += 1 }
        }
        for (outcome, count) in outcomes.sorted(by: { $0.value > $1.value }) { print("\(count)\t\(outcome)") }
        print("\(pool.metrics[.workerStarts])\tworkers started, \(pool.metrics[.workerCrashes]) crashed")
        #expect(outcomes.values.reduce(0, +) == mutationCount)
        #expect(outcomes["refused without a reason"] == nil)
        let grown = try Self.residentBytes() - before
        #expect(grown < 100_000_000, "the service has grown by \(grown / 1_000_000) MB")
        #expect(try await pool.workers.run(pool.thumbnail(), source: pool.source(), priority: .live).output != nil)
        await pool.workers.shutDown()
    }

    private static func outcome(of index: Int, _ pictures: [[UInt8]], _ pool: Pool) async throws -> String {
        var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(index))
        var bytes = pictures[Int.random(in: 0..<pictures.count, using: &random)]
        mutate(&bytes, &random)
        let source = try pool.file(bytes)
        do throws(RenderError) {
            _ = try await pool.workers.run(job(&random), source: source, priority: .live)
            return "rendered"
        } catch {
            switch error {
            case .refused(let refusal): return refusal.description.isEmpty ? "refused without a reason" : kind(refusal)
            case .crashed(let signal, let status):
                let name = "/crash-\(seed)-\(index)"
                // Kept for whoever looks into it; a fuzz that cannot write them still counts.
                try? Data(bytes).write(to: URL(fileURLWithPath: NSTemporaryDirectory() + name))
                return "worker crashed: signal \(signal ?? 0), status \(status ?? 0)"
            case .timedOut: return "stopped at the deadline"
            default: return "not done: \(error)"
            }
        }
    }

    private static func kind(_ refusal: RenderRefusal) -> String {
        switch refusal {
        case .notAnImage: "refused: not an image"
        case .refusedFormat: "refused: decoder kept shut"
        case .undecodable(let format, _): "refused: undecodable \(format.rawValue)"
        case .truncated(let format): "refused: truncated \(format.rawValue)"
        case .tooLarge(let what, _, _): "refused: too large, \(what)"
        case .unencodable(let format, _): "refused: unencodable \(format.rawValue)"
        case .badJob: "refused: bad job"
        case .impossible: "refused: impossible"
        }
    }

    private static func job(_ random: inout SeededGenerator) -> RenderJob {
        let formats: [ImageFormat] = [.jpeg, .webp, .png, .gif, .avif, .jxl]
        var transform = Transform(
            resize: .inside(width: Int.random(in: 1...200, using: &random), height: nil),
            format: .fixed(formats[Int.random(in: 0..<formats.count, using: &random)])
        )
        if Bool.random(using: &random) {
            let side = Transform.Length.pixels(Int.random(in: 1...120, using: &random))
            transform.resize = Transform.Resize(.cover, width: side, height: side)
            transform.resize.position = Bool.random(using: &random) ? .attention : .centre
        }
        if Int.random(in: 0..<4, using: &random) == 0 { transform.rotation = .right }
        if Int.random(in: 0..<8, using: &random) == 0 { transform.trim = 10 }
        return RenderJob(.render(transform), limits: RenderLimits(deadlineSeconds: 5))
    }

    /// One to twelve changes, most of them near the beginning, where the headers are; every other time none moves what
    /// follows, so that the decoders get to see it.
    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let keepsPlaces = Bool.random(using: &random)
        for _ in 0..<Int.random(in: 1...(keepsPlaces ? 4 : 12), using: &random) where bytes.count > 16 {
            let reach = Bool.random(using: &random) ? min(bytes.count, 400) : bytes.count
            let place = Int.random(in: 0..<reach, using: &random)
            let length = min(Int.random(in: 1...64, using: &random), bytes.count - place)
            switch Int.random(in: 0..<(keepsPlaces ? 4 : 7), using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
            case 2: for index in place..<place + length { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            case 4: bytes.removeSubrange(place..<place + length)
            case 5: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
            case 6: bytes.removeLast(min(bytes.count - 16, Int.random(in: 1...2000, using: &random)))
            default:
                let other = Int.random(in: 0..<(bytes.count - length), using: &random)
                bytes.replaceSubrange(other..<other + length, with: Array(bytes[place..<place + length]))
            }
        }
    }

    /// A picture of each format that can be written, drawn by the workers, made ones, and the small ones of the corpus.
    private static func pictures(_ pool: Pool) async throws -> [[UInt8]] {
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="120" height="90"><rect width="60" height="90" fill="red"/>
            <circle cx="80" cy="40" r="30" fill="blue" fill-opacity="0.5"/><text x="9" y="60">abc</text></svg>
            """
        var pictures = [Array(drawing.utf8)]
        for format in ImageFormat.outputs {
            let result = try await pool.workers.run(
                pool.job(.none, format),
                source: pool.file(Array(drawing.utf8)),
                priority: .live
            )
            if let output = result.output { pictures.append(try output.read(from: 0, count: output.byteCount)) }
        }
        var jpeg = TestJPEG(12, 9) { x, y in [x * 20, y * 20, 90, (x + y) * 10] }
        jpeg.segments = TestJPEG.orientation(6)
        var png = TestPNG(40, 30, .palette) { x, _ in [x / 10] }
        png.extra = [("PLTE", [250, 0, 0, 0, 250, 0, 0, 0, 250, 90, 90, 90]), ("tRNS", [0, 64, 128, 255])]
        pictures += [
            jpeg.bytes, png.bytes, TestPNG(30, 20, .rgba, depth: 16) { x, y in [x * 999, y * 999, 9, 60_000] }.bytes,
        ]
        for name in Corpus.names {
            let bytes = try Corpus.bytes(name)
            if bytes.count < 130_000 { pictures.append(bytes) }
        }
        return pictures
    }

    private static func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
}
