import CSystem
import Glibc
import Testing

/// What a worker that was taken over by a picture may send.
@Suite struct DescriptorPassingTests {
    @Test func `of two descriptors in one message the second is closed by the kernel, not leaked`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(csystem_socket_pair(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let pipes = try (0..<2).map { _ in try openPipe() }
        defer { pipes.forEach { close($0.read) } }
        send(pipes.map(\.write), over: ends[0])
        pipes.forEach { close($0.write) }

        var received: Int32 = -1
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(csystem_receive(ends[1], &bytes, bytes.count, &received, 1) == 1)
        #expect(received >= 0)
        close(received)
        for pipe in pipes {
            // A pipe hangs up when nobody has its other end; a child that is just being started may have it for a moment.
            var state = pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0)
            #expect(poll(&state, 1, 10_000) == 1, "its other end is still open somewhere")
        }
    }

    @Test func `two descriptors arrive in their order, and none where none was sent`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(csystem_socket_pair(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let pipes = try (0..<2).map { _ in try openPipe() }
        defer { pipes.forEach { close($0.read) } }
        let sent = pipes.map(\.write)
        #expect(csystem_send(ends[0], [7], 1, sent, 2) == 0)
        #expect(csystem_send(ends[0], [8], 1, sent, 0) == 0)
        #expect(csystem_send(ends[0], [9], 1, sent + sent, 4) == -EINVAL)
        sent.forEach { close($0) }

        var bytes = [UInt8](repeating: 0, count: 16)
        var received: [Int32] = [0, 0]
        #expect(csystem_receive(ends[1], &bytes, bytes.count, &received, 2) == 1)
        for (pipe, descriptor) in zip(pipes, received) {
            #expect(write(descriptor, [5], 1) == 1)
            close(descriptor)
            var state = pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0)
            #expect(poll(&state, 1, 10_000) == 1 && state.revents & Int16(POLLIN) != 0)
        }
        #expect(csystem_receive(ends[1], &bytes, bytes.count, &received, 2) == 1)
        #expect(received == [-1, -1])
    }

    private func openPipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// One byte with all the descriptors in one control message (cmsg(3)).
    private func send(_ descriptors: [Int32], over socket: Int32) {
        var control: [Int] = [MemoryLayout<cmsghdr>.size + 4 * descriptors.count, 0, 0]
        control.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            // SCM_RIGHTS
            bytes.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
            for (index, descriptor) in descriptors.enumerated() {
                bytes.storeBytes(of: descriptor, toByteOffset: 16 + 4 * index, as: Int32.self)
            }
            var byte: UInt8 = 7
            withUnsafeMutablePointer(to: &byte) { byte in
                var part = iovec(iov_base: byte, iov_len: 1)
                withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = bytes.baseAddress
                    message.msg_controllen = bytes.count
                    #expect(sendmsg(socket, &message, 0) == 1)
                }
            }
        }
    }
}
