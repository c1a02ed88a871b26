import FoundationEssentials

/// A folder of pictures for the demo to publish: generated, varied, and the same on every machine.
enum DemoPictures {
    /// Writes the pictures, and three files that a folder of pictures may well hold too.
    ///
    /// Those are a JPEG that ends in the middle, a text that calls itself a JPEG, and a readme. About two seconds of one
    /// core and 15 MB at full size.
    ///
    /// - Parameters:
    ///   - folder: an existing directory; files of the same names are replaced.
    ///   - scale: what every width and height is multiplied by, above 0 to 1; tests use little ones.
    /// - Returns: the names of the whole pictures, in order.
    static func write(to folder: String, scale: Double = 1) throws -> [String] {
        let target = URL(filePath: folder, directoryHint: .isDirectory)
        for picture in all {
            try Data(picture.encoded(scale: scale)).write(to: target.appending(path: picture.name))
        }
        let broken = Picture("", 1500, 1000, seed: 21, DemoScenes.clouds).encoded(scale: scale)
        try Data(broken.prefix(broken.count / 3)).write(to: target.appending(path: "broken-transfer.jpg"))
        try Data("A list of places, saved under the wrong name.\n".utf8).write(to: target.appending(path: "places.jpg"))
        try Data("Pictures made by rcache demo. Not a photograph among them.\n".utf8)
            .write(to: target.appending(path: "readme.txt"))
        return all.map(\.name)
    }

    private static let all: [Picture] = [
        Picture("aurora.jpg", 2100, 1400, seed: 1, DemoStudies.aurora),
        Picture("bokeh.jpg", 1600, 1200, seed: 2, DemoStudies.bokeh),
        Picture("canyon.jpg", 1200, 1800, seed: 3, isStoredSideways: true, DemoScenes.canyon),
        Picture("city-at-night.jpg", 2400, 1350, seed: 4, DemoStudies.city),
        Picture("clouds.jpg", 1800, 1200, seed: 5, DemoScenes.clouds),
        Picture("dunes.jpg", 2000, 1333, seed: 6, DemoScenes.dunes),
        Picture("emblem.png", 1200, 1200, seed: 7, DemoStudies.emblem),
        Picture("forest-in-fog.jpg", 1400, 2100, seed: 8, DemoScenes.forest),
        Picture("moon.jpg", 1200, 1600, seed: 9, DemoStudies.moon),
        Picture("petals.jpg", 1500, 1500, seed: 10, DemoStudies.petals),
        Picture("ridges-at-dawn.jpg", 2400, 1600, seed: 11, DemoScenes.ridges),
        Picture("sun-on-the-sea.jpg", 2000, 1125, seed: 12, DemoScenes.sea),
    ]
}

private struct Picture: Sendable {
    typealias Scene = @Sendable (inout DemoCanvas, inout DemoRandom) -> Void

    let name: String
    private let width: Int
    private let height: Int
    private let seed: UInt64
    private let isStoredSideways: Bool
    private let scene: Scene

    init(
        _ name: String,
        _ width: Int,
        _ height: Int,
        seed: UInt64,
        isStoredSideways: Bool = false,
        _ scene: @escaping Scene
    ) {
        self.name = name
        self.width = width
        self.height = height
        self.seed = seed
        self.isStoredSideways = isStoredSideways
        self.scene = scene
    }

    func encoded(scale: Double) -> [UInt8] {
        var random = DemoRandom(seed: seed)
        var canvas = DemoCanvas(width: scaled(width, scale), height: scaled(height, scale))
        scene(&canvas, &random)
        if name.hasSuffix(".png") { return DemoPNG.encode(canvas) }
        canvas.grain(0.02, using: &random)
        // Orientation 6: turn a quarter to the right to see it upright.
        guard isStoredSideways else { return DemoJPEG.encode(canvas, quality: 88) }
        return DemoJPEG.encode(canvas.turnedLeft(), quality: 88, orientation: 6)
    }

    private func scaled(_ edge: Int, _ scale: Double) -> Int { max(1, Int((Double(edge) * scale).rounded())) }
}
