import Synchronization

/// Takes a download to the cache's disk, or to memory once the cache has no room: such a body streams through unsaved.
final class DownloadSink: ByteSink {
    /// What has arrived: its bytes for checks, and the writer to commit if they are on disk.
    struct Received: Sendable {
        var file: OpenFile
        var writer: BlobWriter?
    }

    private enum Target {
        case disk(BlobWriter)
        case memory(MemoryFile)
    }

    private struct State {
        var target: Target
        /// Bytes that the target has taken whole; a piece that failed half way does not count.
        var byteCount = 0
    }

    private let state: Mutex<State>
    private let log: Log

    /// A sink that begins on disk if the store gives it a writer.
    init(store: RenditionStore, log: Log) throws(SystemError) {
        self.log = log
        do throws(CacheError) {
            state = Mutex(State(target: .disk(try store.writer())))
        } catch {
            log(.warning, "the cache takes nothing in; a body streams through", ["cause": "\(error)"])
            state = Mutex(State(target: .memory(try MemoryFile("rcache-download"))))
        }
    }

    func expect(byteCount: Int) throws {
        try state.withLock { state in
            try take(&state) { writer in try writer.expect(byteCount: byteCount) }
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            try take(&state) { writer in
                try writer.append(bytes)
            } inMemory: { memory in
                try memory.append(bytes)
            }
            state.byteCount += bytes.count
        }
    }

    func restart() throws {
        try state.withLock { state in
            state.byteCount = 0
            try take(&state) { writer in
                try writer.restart()
            } inMemory: { memory in
                try memory.truncate()
            }
        }
    }

    /// What has arrived, once the transfer has ended.
    func received() throws(CacheError) -> Received {
        let target = state.withLock { $0.target }
        switch target {
        case .disk(let writer): return Received(file: try writer.openFile(), writer: writer)
        case .memory(let memory):
            do throws(SystemError) {
                return Received(file: try memory.sealed())
            } catch {
                throw .system(error, path: "download")
            }
        }
    }

    /// Gives the disk its turn; when that has no room, all moves to memory and memory takes it.
    private func take(
        _ state: inout State,
        onDisk: (BlobWriter) throws -> Void,
        inMemory: (MemoryFile) throws -> Void = { _ in }
    ) throws {
        if case .disk(let writer) = state.target {
            do {
                return try onDisk(writer)
            } catch let error as CacheError {
                log(.debug, "a body does not fit the cache and streams through", ["cause": "\(error)"])
                state.target = .memory(try Self.moved(writer, byteCount: state.byteCount))
            }
        }
        if case .memory(let memory) = state.target { try inMemory(memory) }
    }

    private static func moved(_ writer: BlobWriter, byteCount: Int) throws -> MemoryFile {
        let memory = try MemoryFile("rcache-download")
        let file = try writer.openFile()
        var offset = 0
        while offset < byteCount {
            let piece = try file.read(from: offset, count: min(1 << 20, byteCount - offset))
            try piece.withUnsafeBytes { bytes in try memory.append(bytes) }
            offset += piece.count
        }
        return memory
    }
}
