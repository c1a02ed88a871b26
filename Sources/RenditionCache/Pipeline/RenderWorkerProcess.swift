import CSystem
import FoundationEssentials
import Glibc

/// Owns one worker process: its socket, and the descriptor that tells of its end.
final class RenderWorkerProcess {
    /// How a process ended.
    struct End: Equatable {
        var signal: Int32?
        var status: Int32?
    }

    /// What came out of the socket.
    enum Message {
        case nothing
        case reply(RenderReply, OpenFile?)
        /// The other end is closed, or does not keep to the protocol.
        case broken
    }

    let id: pid_t
    let socket: Int32
    /// Readable when the process has ended.
    let exit: Int32
    /// Jobs given to it so far.
    private(set) var jobs = 0

    private init(id: pid_t, socket: Int32, exit: Int32) {
        self.id = id
        self.socket = socket
        self.exit = exit
    }

    deinit {
        close(socket)
        close(exit)
    }

    /// Starts the program with descriptor 3 as its socket.
    ///
    /// It must be started by a thread that stays: the worker dies with it.
    static func start(_ path: String) throws(RenderError) -> RenderWorkerProcess {
        var ends: [Int32] = [-1, -1]
        let outcome = csystem_socket_pair(&ends)
        guard outcome == 0 else {
            throw .cannotStart(path: path, reason: SystemError("socketpair", code: -outcome).description)
        }
        defer { close(ends[1]) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        var id = pid_t()
        let code = csystem_spawn(path, ends[1], &id)
        guard code == 0 else {
            close(ends[0])
            throw .cannotStart(path: path, reason: SystemError("posix_spawn", code: -code).description)
        }
        let exit = csystem_process_descriptor(id)
        guard exit >= 0 else {
            close(ends[0])
            Glibc.kill(id, SIGKILL)
            waitpid(id, nil, 0)
            throw .cannotStart(path: path, reason: SystemError("pidfd_open", code: -exit).description)
        }
        return RenderWorkerProcess(id: id, socket: ends[0], exit: exit)
    }

    /// Hands a job over; false if the process does not take it.
    func send(_ job: RenderJob, source: OpenFile?, mark: OpenFile?) -> Bool {
        // A job of enums and finite numbers always encodes.
        guard let text = try? JSONEncoder().encode(job) else { return false }
        jobs += 1
        let descriptors = [source, mark].compactMap { $0?.descriptor }
        return text.withUnsafeBytes {
            csystem_send(socket, $0.baseAddress, $0.count, descriptors, descriptors.count)
        } == 0
    }

    /// What the process has said, without waiting.
    ///
    /// A worker may have been taken over by the picture it decoded: the reply must be one of ours, the file sealed.
    func receive() -> Message {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var descriptor: Int32 = -1
        let length = csystem_receive(socket, &bytes, bytes.count, &descriptor, 1)
        if length == -Int(EAGAIN) { return .nothing }
        let file = descriptor < 0 ? nil : OpenFile(owning: descriptor, byteCount: Self.byteCount(descriptor))
        guard length > 0, let reply = try? JSONDecoder().decode(RenderReply.self, from: Data(bytes[..<length])) else {
            return .broken
        }
        switch (reply, file) {
        case (.rendered, .some(let file)) where csystem_is_sealed(descriptor) != 0 && file.byteCount > 0:
            return .reply(reply, file)
        case (.probed, nil), (.refused, nil):
            return .reply(reply, nil)
        default:
            return .broken
        }
    }

    private static func byteCount(_ descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Asks it to end after what it does now: there is nothing more to read for it.
    func retire() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Ends it at once; `exit` becomes readable soon after.
    func kill() { Glibc.kill(id, SIGKILL) }

    /// How it ended, and the end of its process identifier; nil while it lives.
    func reap() -> End? {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? End(status: (status >> 8) & 0xFF) : End(signal: signal)
    }
}
