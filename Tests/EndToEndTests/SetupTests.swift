import Foundation
import TestSupport
import Testing

/// `Scripts/setup` on systems that lack something; the commands it meets there are stand-ins.
@Suite struct SetupTests {
    struct System: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Name and body of each command that exists besides the plain ones.
        let commands: [String: String]
        let status: Int32
        let says: String
    }

    private static let installed = "echo installed"
    private static let swift = "echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'"

    @Test(arguments: [
        System(
            testDescription: "nothing is missing",
            commands: ["dpkg-query": installed, "swift": swift],
            status: 0,
            says: ""
        ),
        System(testDescription: "no package manager", commands: ["swift": swift], status: 2, says: "no apt-get here"),
        System(
            testDescription: "neither root nor sudo",
            commands: ["dpkg-query": "exit 1", "apt-get": "exit 0", "id": "echo 1000"],
            status: 2,
            says: "neither root nor sudo. As root, run: apt-get install --no-install-recommends libvips-dev"
        ),
        System(
            testDescription: "the mirror is down",
            commands: ["dpkg-query": "exit 1", "apt-get": "echo no mirror; exit 100", "id": "echo 0"],
            status: 2,
            says: "no mirror\nScripts/setup: apt-get failed"
        ),
        System(
            testDescription: "an old toolchain",
            commands: ["dpkg-query": installed, "swift": "echo 'Swift version 5.10.1 (swift-5.10.1-RELEASE)'"],
            status: 2,
            says: "Swift 5.10.1 at"
        ),
        System(
            testDescription: "a toolchain that does not start",
            commands: ["dpkg-query": installed, "swift": "echo 'libncurses.so.6: not found'; exit 127"],
            status: 2,
            says: "does not start: libncurses.so.6: not found"
        ),
    ])
    func `setup says in a sentence what is missing`(_ system: System) throws {
        let folder = try TemporaryFolder()
        // What every Linux has; all else is there only if the case says so.
        for plain in ["cat", "dirname", "env", "head", "id", "mktemp", "rm", "sed", "sort", "tail"]
        where system.commands[plain] == nil {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(plain),
                withDestinationPath: "/usr/bin/\(plain)"
            )
        }
        for (name, body) in system.commands {
            let path = try folder.write("#!/bin/sh\n\(body)\n".utf8, to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let (status, text) = try setUp(path: folder.path)
        #expect(status == system.status)
        #expect(system.says.isEmpty ? text.isEmpty : text.contains(system.says), "\(text)")
    }

    private func setUp(path: String) throws -> (status: Int32, text: String) {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let setup = Process(), output = Pipe()
        setup.executableURL = URL(filePath: "/bin/sh")
        setup.arguments = [root.appending(path: "Scripts/setup").path]
        setup.environment = ["PATH": path]
        setup.standardOutput = output
        setup.standardError = output
        try setup.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        setup.waitUntilExit()
        return (setup.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
