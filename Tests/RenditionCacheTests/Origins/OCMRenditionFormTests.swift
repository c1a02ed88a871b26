import Testing

@testable import RenditionCache

@Suite struct OCMRenditionFormTests {
    private static func asset(_ file: String) throws -> Asset {
        try #require(OCMItem(OCMFixtures.json(file))).asset
    }

    private static let cases: [(String, String, ImageFormat?, [String?]?)] = [
        ("image-item.json", "Medium", .jpeg, ["Medium", "jpg", "responsiveimage"]),
        ("image-item.json", "Medium", .webp, ["Medium", "webp", "responsiveimage"]),
        ("image-item.json", "Medium", nil, ["Medium", "jpg", "responsiveimage"]),
        ("image-item.json", "Medium", .png, nil), ("image-item.json", "medium", .jpeg, nil),
        ("image-item.json", "Huge", nil, nil),
        ("image-png-item.json", "Square Crop", nil, ["Square Crop", "png", "customrendition"]),
        ("image-png-item.json", "Square Crop", .jpeg, nil),
        ("image-png-item.json", "Print", .png, ["Print", "png", "uploaded"]),
        // Of a PNG with neither, JPEG, which every client shows, although WebP is listed first.
        ("image-legacy-digitalasset-item.json", "Thumbnail", nil, ["Thumbnail", "jpg", "responsiveimage"]),
        ("image-legacy-digitalasset-item.json", "Thumbnail", .webp, ["Thumbnail", "webp", "responsiveimage"]),
        ("image-item.json", "thumbnail", nil, ["thumbnail", nil, "uithumbnail"]),
        ("image-item.json", "thumbnail", .png, ["thumbnail", "png", "uithumbnail"]),
        ("advanced-video-item.json", "Thumbnail", nil, ["Thumbnail", "jpg", "advancedvideo"]),
        ("advanced-video-item.json", "Strip", nil, ["Strip", "jpg", "advancedvideo"]),
        ("advanced-video-item.json", "thumbnail", nil, ["Thumbnail", "jpg", "advancedvideo"]),
        ("advanced-video-item.json", "thumbnail", .webp, nil),
        ("video-item.json", "Thumbnail", nil, ["Thumbnail", "jpg", "responsiveimage"]),
        ("video-item.json", "thumbnail", nil, ["thumbnail", nil, "uithumbnail"]),
        ("file-item.json", "Small", .jpeg, ["Small", "jpg", "responsiveimage"]), ("file-item.json", "Large", nil, nil),
    ]

    @Test(arguments: cases)
    func `of what an asset has the right form is asked for`(
        _ file: String,
        _ name: String,
        _ format: ImageFormat?,
        _ expected: [String?]?
    ) throws {
        let form = OCMRenditionForm(name, format: format, of: try Self.asset(file))
        #expect(form.map { [$0.name, $0.format, $0.type] } == expected)
    }

    @Test func `a video that offers nothing still has a poster, and a picture none that it does not offer`() throws {
        var video = try Self.asset("video-item.json")
        video.renditions = []
        #expect(OCMRenditionForm("Thumbnail", format: nil, of: video)?.type == "uithumbnail")
        video.hasAdvancedVideo = true
        #expect(OCMRenditionForm("Thumbnail", format: nil, of: video)?.type == "advancedvideo")
        var picture = try Self.asset("image-item.json")
        picture.renditions = []
        #expect(OCMRenditionForm("Thumbnail", format: nil, of: picture) == nil)
    }

    @Test func `where the catalogue does not say, anything is asked for`() {
        let form = OCMRenditionForm("Square Crop", format: .jpeg, of: Asset(id: "A", name: "a"))
        #expect(form?.name == "Square Crop" && form?.format == "jpg" && form?.type == nil)
    }
}
