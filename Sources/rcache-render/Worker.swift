import CSystem
import FoundationEssentials
import Glibc
import RenditionImaging
import RenditionModel

/// Receives one job at a time, does it, answers.
struct Worker {
    let socket: Int32
    let renderer: Renderer
    private var memoryIsLimited = false
    private var message = [UInt8](repeating: 0, count: 65_536)

    init(socket: Int32, renderer: Renderer) {
        self.socket = socket
        self.renderer = renderer
    }

    /// Works until the other end closes the socket; the exit status.
    mutating func run() -> Int32 {
        while true {
            releaseMemoryWhenIdle()
            var descriptors: [Int32] = [-1, -1]
            let length = csystem_receive(socket, &message, message.count, &descriptors, descriptors.count)
            guard length != 0 else { return 0 }
            guard length > 0 else { return 1 }
            let files = descriptors.map { $0 < 0 ? nil : SourceFile(owning: $0) }
            guard answer(message[..<length], files[0], mark: files[1]) else { return 1 }
        }
    }

    /// Between jobs that follow one another the buffers are kept, 12 ms of page faults a job; a second without one frees them.
    private func releaseMemoryWhenIdle() {
        var next = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        if poll(&next, 1, 1000) == 0 { csystem_release_memory() }
    }

    /// False if the answer could not be sent.
    private mutating func answer(_ text: ArraySlice<UInt8>, _ source: SourceFile?, mark: SourceFile?) -> Bool {
        guard let job = try? JSONDecoder().decode(RenderJob.self, from: Data(text)) else {
            // What is wrong with it in detail would only tell of a program that does not match its service.
            return send(.refused(.badJob("not understood by this version of rcache-render")), -1)
        }
        guard limit(job.limits) else { return false }
        do throws(RenderRefusal) {
            defer { withExtendedLifetime((source, mark)) {} }
            let bytes = try source?.map(job.sourceByteCount, limit: job.limits.sourceBytes)
            // Both are mapped, and so both count.
            let left = job.limits.sourceBytes - (bytes?.count ?? 0)
            let markBytes = try mark?.map(job.markByteCount, limit: left)
            let product = renderer.perform(job, source: bytes, mark: markBytes)
            guard let file = product.withOutput(Self.memoryFile) else { return send(product.reply, -1) }
            defer { if file >= 0 { close(file) } }
            guard file >= 0 else { throw .badJob("no memory file for the output: error \(-file)") }
            return send(product.reply, file)
        } catch {
            return send(.refused(error), -1)
        }
    }

    /// The first job's memory limit holds for good; processor time is granted job by job.
    ///
    /// False if the system will not hold them: then nothing is decoded.
    private mutating func limit(_ limits: RenderLimits) -> Bool {
        if !memoryIsLimited {
            // The source is mapped, and so counts, beside what the job may take.
            let bytes = UInt64(max(0, limits.jobBytes)) + UInt64(max(0, limits.sourceBytes))
            guard csystem_limit_memory(bytes) == 0 else { return false }
            memoryIsLimited = true
        }
        let cores = Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        return csystem_limit_processor(UInt64(max(1, min(limits.deadlineSeconds, 86_400) * cores))) == 0
    }

    private func send(_ reply: RenderReply, _ descriptor: Int32) -> Bool {
        guard let text = try? JSONEncoder().encode(reply) else { return false }
        let descriptors = descriptor < 0 ? [] : [descriptor]
        return text.withUnsafeBytes {
            csystem_send(socket, $0.baseAddress, $0.count, descriptors, descriptors.count)
        } == 0
    }

    /// A sealed memory file with these bytes, or a negative error number.
    private static func memoryFile(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        let file = csystem_memory_file("rendition")
        guard file >= 0, let start = bytes.baseAddress else { return file }
        var written = 0
        while written < bytes.count {
            let count = write(file, start + written, bytes.count - written)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return failing(file, errno) }
            written += count
        }
        let code = csystem_seal(file)
        return code == 0 ? file : failing(file, -code)
    }

    private static func failing(_ file: Int32, _ code: Int32) -> Int32 {
        close(file)
        return -code
    }
}
