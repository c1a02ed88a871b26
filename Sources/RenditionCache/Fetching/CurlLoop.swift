import CCurl
import Glibc
import Synchronization

/// The one thread that drives all transfers: started by the first, asleep in libcurl while nothing happens.
final class CurlLoop: Sendable {
    /// What the thread is told.
    private enum Command {
        case begin(CurlTransfer)
        case cancel(CurlTransfer)
        case raise(CurlTransfer, to: WorkPriority)
    }
    private enum Phase {
        case idle
        case running(Multi)
        case stopping(Multi)
        case stopped
    }
    private struct State {
        var phase = Phase.idle
        var commands: [Command] = []
        var leavers: [CheckedContinuation<Void, Never>] = []
    }
    /// A multi handle.
    private struct Multi: @unchecked Sendable {
        // Safe to send: other threads only call `curl_multi_wakeup`, which libcurl allows, and under the lock that the
        // fetching thread takes before it frees the handle.
        let pointer: UnsafeMutableRawPointer
    }

    private let settings: FetchSettings
    private let report: @Sendable (Authority, HostState.Change) -> Void
    private let state = Mutex(State())
    private let queued = Atomic(0)

    /// Initialises libcurl once in a process.
    private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// No thread yet; `report` hears, on the thread, of each host that fails again and again or is back.
    init(settings: FetchSettings, report: @escaping @Sendable (Authority, HostState.Change) -> Void = { _, _ in }) {
        self.settings = settings
        self.report = report
    }

    /// How many transfers wait for a slot, as of the thread's last turn.
    var waiting: Int { queued.load(ordering: .relaxed) }

    /// Runs a transfer to its end; cancelling the task ends it.
    func run(_ transfer: CurlTransfer) async -> CurlTransfer.Outcome {
        transfer.plan.priority.whenItRises { [weak self, weak transfer] level in
            if let transfer { _ = self?.submit(.raise(transfer, to: level)) }
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.continuation = continuation
                guard submit(.begin(transfer)) else {
                    return continuation.resume(returning: .init(result: .failure(refusal(transfer))))
                }
            }
        } onCancel: {
            // The flag speaks for a cancellation that comes before the beginning.
            transfer.isCancelled.store(true, ordering: .releasing)
            _ = submit(.cancel(transfer))
        }
    }

    /// Why nothing was taken on: the end has begun, or there was no beginning.
    private func refusal(_ transfer: CurlTransfer) -> FetchError {
        let isIdle = state.withLock { if case .idle = $0.phase { true } else { false } }
        return isIdle ? .transport(host: transfer.host, reason: "no thread or descriptor is left") : .cancelled
    }

    /// Asks the thread to end everything and itself; does not wait.
    func stop() {
        state.withLock { state in
            switch state.phase {
            case .idle: state.phase = .stopped
            case .running(let multi):
                state.phase = .stopping(multi)
                curl_multi_wakeup(multi.pointer)
            case .stopping, .stopped: break
            }
        }
    }

    /// Waits until the thread has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard case .stopped = state.phase else {
                    state.leavers.append(continuation)
                    return false
                }
                return true
            }
            if isOver { continuation.resume() }
        }
    }

    /// Puts a command into the thread's box; false if there is no thread and will be none.
    private func submit(_ command: Command) -> Bool {
        state.withLock { state in
            if case .idle = state.phase, case .begin = command {
                guard Self.isReady, let multi = curl_multi_init() else { return false }
                // Without a descriptor left libcurl goes on, but could not be woken: nobody would be heard.
                guard curl_multi_wakeup(multi) == CURLM_OK, startThread() else {
                    curl_multi_cleanup(multi)
                    return false
                }
                state.phase = .running(Multi(pointer: multi))
            }
            guard case .running(let multi) = state.phase else { return false }
            state.commands.append(command)
            curl_multi_wakeup(multi.pointer)
            return true
        }
    }

    /// Starts a thread that runs until `stop`; it blocks on the lock until the phase is set.
    private func startThread() -> Bool {
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { context in
                context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeRetainedValue().main() }
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func main() {
        // Waits for `submit` to leave the lock; a stop may have come by then.
        let multi: Multi? = state.withLock { state in
            switch state.phase {
            case .running(let multi), .stopping(let multi): multi
            case .idle, .stopped: nil
            }
        }
        guard let multi else { return }
        let engine = CurlEngine(multi.pointer, settings: settings, report: report)
        while true {
            let (commands, isStopping) = state.withLock { state in
                defer { state.commands = [] }
                if case .stopping = state.phase { return (state.commands, true) }
                return (state.commands, false)
            }
            for command in commands {
                switch command {
                case .begin(let transfer): engine.add(transfer)
                case .cancel(let transfer): engine.cancel(transfer)
                case .raise(let transfer, let level): engine.raise(transfer, to: level)
                }
            }
            if isStopping { break }
            queued.store(engine.waitingCount, ordering: .relaxed)
            engine.turn()
        }
        engine.stop()
        let leavers = state.withLock { state in
            curl_multi_cleanup(multi.pointer)
            state.phase = .stopped
            defer { state.leavers = [] }
            return state.leavers
        }
        for leaver in leavers { leaver.resume() }
    }
}
