import Testing

@testable import RenditionCache

@Suite struct MetadataCodingTests {
    private static let full = EntryMetadata(
        channel: "blog",
        asset: "CONT0123456789ABCDEF",
        form: "width=640&format=webp",
        version: "2024-02-30T11:22:33.456Z",
        isSource: true,
        maker: .origin,
        format: .webp,
        mediaType: "image/webp",
        size: PixelSize(width: 640, height: 1),
        keptFrames: 1,
        totalFrames: 300,
        fileName: "Bären & Füchse 🦊.webp",
        originEntityTag: "\"abc\"",
        modifiedSeconds: 0,
        storedSeconds: 1_700_000_000.25
    )

    private static let document: EntryMetadata = {
        var metadata = sampleMetadata("", form: "", version: "")
        metadata.format = nil
        metadata.mediaType = "application/pdf"
        metadata.size = nil
        metadata.fileName = String(repeating: "ä", count: 4000)
        metadata.storedSeconds = -1.5
        return metadata
    }()

    @Test(arguments: [full, document, sampleMetadata("a")])
    func `metadata survives coding`(_ metadata: EntryMetadata) {
        #expect(MetadataCoding.decode(MetadataCoding.encode(metadata)) == metadata)
    }

    @Test func `bytes that are cut anywhere are refused`() {
        let bytes = MetadataCoding.encode(Self.full)
        for count in 0..<bytes.count { #expect(MetadataCoding.decode(Array(bytes.prefix(count))) == nil) }
    }

    @Test func `random damage never traps`() {
        var random = SeededGenerator(seed: 7)
        let bytes = MetadataCoding.encode(Self.full)
        for _ in 0..<20_000 {
            var damaged = bytes
            damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            _ = MetadataCoding.decode(damaged)
            _ = MetadataCoding.assetTag(damaged)
        }
    }

    @Test func `another version is refused`() {
        var bytes = MetadataCoding.encode(Self.full)
        bytes[0] += 1
        #expect(MetadataCoding.decode(bytes) == nil)
    }

    @Test func `a usual entry takes less than a hundred and fifty bytes`() {
        #expect(MetadataCoding.encode(Self.full).count < 150)
    }
}
