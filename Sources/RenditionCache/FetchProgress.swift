/// Hears how far one download has come: bytes so far, and the whole if it is known.
///
/// Called on the fetching thread.
public typealias FetchProgress = @Sendable (_ received: Int, _ expected: Int?) -> Void
