extension [UInt8] {
    /// `withUnsafeBytes` with a typed error and a result that cannot be copied, neither of which the standard function takes.
    func lending<T: ~Copyable, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> T) throws(E) -> T {
        var outcome: LentOutcome<T, E> = .pending
        withUnsafeBytes { bytes in
            do throws(E) {
                outcome = .success(try body(bytes))
            } catch {
                outcome = .failure(error)
            }
        }
        switch consume outcome {
        case .success(let value): return value
        case .failure(let error): throw error
        case .pending: preconditionFailure("withUnsafeBytes calls its body")
        }
    }
}

private enum LentOutcome<T: ~Copyable, E: Error>: ~Copyable {
    case pending
    case success(T)
    case failure(E)
}
