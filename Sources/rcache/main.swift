import Glibc

// A closed pipe or socket is an error where it is written to, not the end of the process.
signal(SIGPIPE, SIG_IGN)
Interruption.install()
DescriptorLimit.raise()

let work = Task { await Dispatch.run(Array(CommandLine.arguments.dropFirst())) }
Interruption.whenItComes { work.cancel() }
exit(await work.value.rawValue)
