import Testing

@testable import RenditionCache

/// Runs a warm to its end.
enum WarmRunner {
    static func run(_ service: RenditionService, _ plan: WarmPlan) async throws -> WarmSummary {
        var summary: WarmSummary?
        for try await event in service.warm(plan) { if case .finished(let final) = event { summary = final } }
        return try #require(summary)
    }
}
