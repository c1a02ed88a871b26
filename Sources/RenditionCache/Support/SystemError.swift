import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call.
    public var call: String
    /// Its `errno`.
    public var code: Int32

    /// The failure of `call` with `code`.
    public init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// `open: No such file or directory`.
    public var description: String {
        var text = [CChar](repeating: 0, count: 128)
        // The GNU form may return a static text instead of filling the buffer; the XSI form is what Swift imports.
        guard strerror_r(code, &text, text.count) == 0 else { return "\(call): error \(code)" }
        return "\(call): \(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))"
    }
}

extension SystemError {
    /// Makes a call, again while a signal interrupts it; throws if it returns -1.
    @discardableResult
    static func check<Number: SignedInteger>(
        _ call: String,
        _ body: () -> Number
    ) throws(SystemError) -> Number {
        while true {
            let result = body()
            guard result == -1 else { return result }
            let code = errno
            guard code == EINTR else { throw SystemError(call, code: code) }
        }
    }
}
