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
