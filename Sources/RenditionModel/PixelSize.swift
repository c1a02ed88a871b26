/// A width and a height in pixels.
public struct PixelSize: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// A size of `width` × `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// `1024×768`.
    public var description: String { "\(width)×\(height)" }

    /// Width and height exchanged.
    package var exchanged: PixelSize { PixelSize(width: height, height: width) }

    /// Pixels in all; `Int.max` where the number does not fit 64 bits.
    package var area: Int {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : area
    }
}

/// A rectangle of whole pixels, counted from the upper left corner.
public struct PixelRect: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// Its extent, at least one pixel each way.
    public var size: PixelSize

    /// A rectangle of `size` pixels with its upper left corner at `x`, `y`.
    public init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// A picture's whole frame.
    public init(_ size: PixelSize) { self.init(x: 0, y: 0, size: size) }

    /// `40×30+10+20`: size, then place.
    public var description: String { "\(size.width)×\(size.height)+\(x)+\(y)" }
}
