import CSandbox
import CSystem
import Glibc
import RenditionImaging

// Started by RenderWorkers with one end of a SOCK_SEQPACKET socket as descriptor 3; ends when that socket does.
signal(SIGPIPE, SIG_IGN)
let confined = csystem_confine()
guard confined == 0 else { fail("the limits of this process cannot be set: error \(-confined)") }

do throws(ImagingError) {
    let renderer = try Renderer()
    let shut = csandbox_enter(1)
    guard shut == 0 else { fail("system calls cannot be taken away: error \(-shut)") }
    // What codecs remark on hostile files is no word of ours: from here on it goes nowhere, like standard output.
    dup2(1, 2)
    var worker = Worker(socket: 3, renderer: renderer)
    exit(worker.run())
} catch {
    fail("libvips does not start: \(error)")
}

func fail(_ reason: String) -> Never {
    let line = Array("rcache-render: \(reason)\n".utf8)
    write(2, line, line.count)
    exit(1)
}
