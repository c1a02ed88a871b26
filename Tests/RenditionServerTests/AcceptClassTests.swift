import RenditionCache
import Testing

@testable import RenditionServer

@Suite struct AcceptClassTests {
    static let headers: [(String?, AcceptClass)] = [
        (nil, .neither), ("", .neither), ("*/*", .neither), ("image/*", .neither), ("image/webp;q=0", .neither),
        ("image/webp", .webp), ("image/webp, image/avif;q=0", .webp), ("*/*, IMAGE/WEBP;q=0.1", .webp),
        ("image/avif", .avif), ("image/avif;q=0.5,image/*", .avif),
        ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", .avifBeforeWebP),
        ("image/webp;q=0.2, image/avif;q=0.3", .avifBeforeWebP),
        ("image/webp, image/avif;q=0.9", .webpBeforeAVIF),
    ]
    private static let formats: [Transform.Format] = [
        .source, .fixed(.png), .preferWebP(else: nil), .preferWebP(else: .png), .auto(avif: false), .auto(avif: true),
        .smallest(avif: false), .smallest(avif: true),
    ]

    @Test(arguments: headers)
    func `a header is of one class`(_ header: String?, _ expected: AcceptClass) {
        #expect(AcceptClass(AcceptedTypes(header)) == expected)
    }

    @Test(arguments: headers)
    func `what stands for a class gets what each of its clients would`(_ header: String?, _ expected: AcceptClass) {
        #expect(AcceptClass(expected.accepted) == expected)
        for format in Self.formats {
            let transform = Transform(format: format)
            #expect(transform.negotiated(AcceptedTypes(header)) == transform.negotiated(expected.accepted), "\(format)")
        }
    }
}
