import Glibc

/// Where a configuration's text comes from and what it may refer to.
struct ConfigurationSource {
    /// The file, as messages name it.
    var fileName: String
    /// What relative paths are relative to; absolute.
    var baseDirectory: String
    /// The environment.
    var environment: (String) -> String?

    /// Longest file, in bytes.
    static let maxBytes = 1_000_000

    /// A whole small file as text.
    ///
    /// - Throws: one issue, with line and column where the bytes are not UTF-8.
    static func text(ofFile path: String) throws(ConfigurationError) -> String {
        func refusal(_ message: String, line: Int = 0, column: Int = 0) -> ConfigurationError {
            ConfigurationError(issues: [.init(file: path, line: line, column: column, message: message)])
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try wholeFile(path, maxBytes: maxBytes)
        } catch {
            throw refusal("cannot be read (\(error))")
        }
        guard bytes.count <= maxBytes else { throw refusal("is longer than \(Quantity.text(bytes: maxBytes))") }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let valid = validPrefix(bytes)
        let position = LineTable(valid).position(of: valid.unicodeScalars.count)
        throw refusal("this byte is not UTF-8", line: position.line, column: position.column)
    }

    private static func validPrefix(_ bytes: [UInt8]) -> String {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var text = String.UnicodeScalarView()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { text.append(scalar) }
        return String(text)
    }
}

/// `path` itself if it is absolute, else below `directory`; `.` segments and repeated slashes go, `..` stays.
package func absolutePath(_ path: String, in directory: String) -> String {
    let whole = path.hasPrefix("/") ? path : "\(directory)/\(path)"
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
}

/// The directory that relative paths on the command line are relative to.
package func workingDirectory() -> String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
}
