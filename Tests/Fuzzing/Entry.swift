import Glibc

/// What one fuzzing program tries; each file `…Target.swift` has one, and the script links one of them with the rest.
protocol FuzzTarget {
    /// Tries one input; whatever breaks a promise traps.
    static func run(_ input: UnsafeRawBufferPointer)

    /// Inputs to begin with; `fixtures` is the folder of recorded cases.
    static func seeds(fixtures: String) throws -> [[UInt8]]
}

/// Called by libFuzzer once, before the first input; writes the seeds instead where the environment asks for them.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    guard let folder = getenv("FUZZ_SEEDS"), let fixtures = getenv("FUZZ_FIXTURES") else { return 0 }
    do {
        for (number, seed) in try Target.seeds(fixtures: String(cString: fixtures)).enumerated() {
            save(seed, to: "\(String(cString: folder))/seed-\(number)")
        }
    } catch {
        fail("no seeds: \(error)")
    }
    exit(0)
}

/// Called by libFuzzer with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> Int32 {
    Target.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}

/// Ends the run with a finding; the input is kept by libFuzzer.
func expect(_ isTrue: Bool, _ promise: @autoclosure () -> String) {
    guard !isTrue else { return }
    fail("broken promise: \(promise())")
}

private func fail(_ reason: String) -> Never {
    let line = Array("\(reason)\n".utf8)
    write(2, line, line.count)
    abort()
}

private func save(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { fail("\(path) cannot be written") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}
