/// What was to happen has not happened.
package struct NeverHappened: Error {}

/// Waits for something that is about to happen, at most a minute.
///
/// Looks at it again and again, and lets others work in between: with as many tests at once as there are, a loop that only
/// yields takes the cores from those it waits for.
package func until(_ condition: () async throws -> Bool) async throws {
    let patience = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < patience else { throw NeverHappened() }
        try await Task.sleep(for: .milliseconds(2))
    }
}
