import Testing

@testable import RenditionCache

@Suite struct FailureCauseTests {
    private static let resting = FetchError.resting(host: "h", failures: 5, wait: .seconds(4))
    private static let wide = RenderRefusal.tooLarge(what: "output edge", value: 9000, limit: 8192)
    private static let vast = RenderRefusal.tooLarge(what: "source pixels", value: 2, limit: 1)

    @Test(
        arguments: [
            (.origin(.unreachable(resting)), .originDown, .originDown),
            (.origin(.busy(host: "h", status: 503, retryAfter: nil)), .originDown, .originDown),
            (.origin(.unreachable(.timedOut(host: "h", phase: "total", after: .seconds(1)))), .timeout, .timeout),
            (.render(.refused(.impossible("nothing is left"))), nil, .undecodable),
            (.render(.refused(wide)), nil, .tooLarge),
            (.render(.refused(vast)), .tooLarge, .tooLarge),
            (.render(.refused(.truncated(format: .png))), .undecodable, .undecodable),
            (.render(.timedOut(after: .seconds(15))), .timeout, .timeout),
            (.assetNotFound(channel: "c", asset: "a"), nil, nil),
        ] as [(RenditionError, PlaceholderCause?, PlaceholderCause?)]
    )
    func `something stands in where neither the wish nor the address is at fault`(
        _ error: RenditionError,
        _ ofTransform: PlaceholderCause?,
        _ ofName: PlaceholderCause?
    ) {
        #expect(error.placeholderCause(for: .transform(Transform())) == ofTransform)
        #expect(error.placeholderCause(for: .named("Medium", format: nil)) == ofName)
    }
}
