import Foundation
import RenditionCache
import Synchronization
import TestSupport

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
    private let seconds: Mutex<Double>

    init(_ seconds: Double) { self.seconds = Mutex(seconds) }

    var read: @Sendable () -> Double { { [self] in seconds.withLock { $0 } } }
    func advance(by step: Double) { seconds.withLock { $0 += step } }
}

/// An open file with these bytes that has no name any more.
func temporaryFile(_ bytes: [UInt8]) throws -> OpenFile {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "body")
    return OpenFile(owning: open(path, O_RDONLY | O_CLOEXEC), byteCount: bytes.count)
}
