/// Words for a shell.
enum ShellWord {
    /// `word` as it is where that is safe, else in single quotes.
    static func quoted(_ word: String) -> String {
        let plain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "-._/:".utf8.contains(byte)
            }
        return plain ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
