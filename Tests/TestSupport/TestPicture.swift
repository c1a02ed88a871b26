/// Pictures for tests that need some, whatever they show.
package enum TestPicture {
    /// A smooth PNG, different for every seed.
    package static func gradient(width: Int, height: Int, seed: Int = 0) -> [UInt8] {
        TestPNG(width, height) { x, y in
            [255 * x / max(1, width - 1), 255 * y / max(1, height - 1), (seed * 37) & 255]
        }.bytes
    }
}
