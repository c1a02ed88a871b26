/// Where a body goes as it arrives, piece by piece.
public protocol ByteSink: AnyObject, Sendable {
    /// Says how long the body will be, when that is known; called at most once, before the first byte.
    func expect(byteCount: Int) throws

    /// Takes the next bytes; called on the fetching thread, never twice at a time.
    func append(_ bytes: UnsafeRawBufferPointer) throws

    /// Forgets everything received so far, because the transfer begins anew.
    func restart() throws
}
