extension Transform {
    /// A colour in sRGB with its opacity, 0…255 each.
    public struct Colour: Codable, Hashable, Sendable {
        /// 0…255.
        public var red: UInt8
        /// 0…255.
        public var green: UInt8
        /// 0…255.
        public var blue: UInt8
        /// 0 is transparent, 255 opaque.
        public var alpha: UInt8

        /// A colour.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }

        /// Opaque white.
        public static let white = Colour(red: 255, green: 255, blue: 255)
        /// Nothing at all.
        public static let transparent = Colour(red: 255, green: 255, blue: 255, alpha: 0)

        /// `rrggbb`, or `rrggbbaa` where it is not opaque.
        public var hexadecimal: String {
            ([red, green, blue] + (alpha == 255 ? [] : [alpha])).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }
    }

    /// What everything transparent is painted with.
    public enum Background: Codable, Hashable, Sendable {
        case colour(Colour)
        /// The picture's average colour.
        case average
    }

    /// Pixels added on each side.
    public struct Padding: Codable, Hashable, Sendable {
        /// Pixels above.
        public var top: Double
        /// Pixels on the right.
        public var right: Double
        /// Pixels below.
        public var bottom: Double
        /// Pixels on the left.
        public var left: Double

        /// So many pixels on each side.
        public init(top: Double = 0, right: Double = 0, bottom: Double = 0, left: Double = 0) {
            self.top = top
            self.right = right
            self.bottom = bottom
            self.left = left
        }
    }

    /// Changes of colour and tone, each 0 where it changes nothing (spec microCMS §8).
    public struct Adjustments: Codable, Hashable, Sendable {
        /// −100…100.
        public var brightness = 0.0
        /// −100…100.
        public var contrast = 0.0
        /// −100…100; 50 doubles the light.
        public var exposure = 0.0
        /// −100…100; more brightens the middle tones.
        public var gamma = 0.0
        /// −100…0.
        public var highlights = 0.0
        /// 0…100.
        public var shadows = 0.0
        /// −100…100; −100 is grey.
        public var saturation = 0.0
        /// −100…100: as saturation, most where there is least.
        public var vibrance = 0.0
        /// 0 ..< 360 degrees.
        public var hue = 0.0
        /// Whether the colours are inverted.
        public var invert = false

        /// None.
        public init() {}

        /// Whether nothing changes.
        public var isEmpty: Bool { self == Adjustments() }
    }

    /// Sharpening, blurring and stylising, each 0 or nil where there is none.
    public struct Effects: Codable, Hashable, Sendable {
        /// 0…10, of the lightness.
        public var sharpen = 0.0
        /// Unsharp masking, −100…100, of the lightness.
        public var unsharp = 0.0
        /// Its radius in pixels.
        public var unsharpRadius = 2.5
        /// Standard deviation in pixels of the result, 0.3…200.
        public var blur = 0.0
        /// Side of the blocks, in pixels, 2…100; 0 for none.
        public var pixelate = 0.0
        /// 0…100.
        public var sepia = 0.0
        /// One colour for everything; its alpha is the strength.
        public var monochrome: Colour?
        /// When they are applied.
        public var order = Order.afterPadding

        /// When the effects are applied, and which comes first.
        public enum Order: String, Codable, Hashable, Sendable {
            /// After padding and background; blur before sharpening (spec own).
            case afterPadding
            /// Before padding; sharpening before blur (spec microCMS §10).
            case beforePadding
        }

        /// None.
        public init() {}

        /// Whether nothing changes.
        public var isEmpty: Bool {
            sharpen == 0 && unsharp == 0 && blur == 0 && pixelate == 0 && sepia == 0 && monochrome == nil
        }
    }

    /// A frame painted over the outer pixels.
    public struct Border: Codable, Hashable, Sendable {
        /// In pixels.
        public var width: Double
        /// Its colour; a translucent one lets the picture through.
        public var colour: Colour

        /// A frame.
        public init(width: Double, colour: Colour) {
            self.width = width
            self.colour = colour
        }
    }

    /// The shape outside of which everything is transparent.
    public struct Mask: Codable, Hashable, Sendable {
        /// The shapes.
        public enum Shape: Codable, Hashable, Sendable {
            /// The largest ellipse.
            case ellipse
            /// Round corners, radii in pixels from the upper left clockwise; nil is a tenth of the shorter side for all four.
            case corners([Double]?)
        }

        /// The shape.
        public var shape: Shape
        /// What is outside where alpha cannot stay; nil for the background, or white.
        public var background: Colour?

        /// A mask.
        public init(_ shape: Shape, background: Colour? = nil) {
            self.shape = shape
            self.background = background
        }
    }
}
