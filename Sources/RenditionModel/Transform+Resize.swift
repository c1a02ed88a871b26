extension Transform {
    /// A length along one side: so many parts of the side, plus so many pixels.
    public struct Length: Codable, Hashable, Sendable {
        /// Parts of the side that it is measured on; 0.5 is half.
        public var fraction: Double
        /// Pixels, added.
        public var pixels: Double

        /// A length of both parts.
        public init(fraction: Double = 0, pixels: Double = 0) {
            self.fraction = fraction
            self.pixels = pixels
        }

        /// A length in pixels.
        public static func pixels(_ count: Int) -> Length { Length(pixels: Double(count)) }

        /// A length in hundredths of the side.
        public static func percent(_ count: Double) -> Length { Length(fraction: count / 100) }

        /// The length in pixels on a side of this many.
        public func resolved(on side: Double) -> Double { fraction * side + pixels }

        /// The number of pixels where it depends on no side.
        public var fixed: Double? { fraction == 0 ? pixels : nil }
    }

    /// How the picture's size comes about.
    public struct Resize: Codable, Hashable, Sendable {
        /// How picture and box meet.
        public enum Mode: String, Codable, Hashable, Sendable {
            /// The largest size that fits the box; sides round to nearest, at least 1.
            case inside
            /// A CMS's automatic rendition: at most the box's width, the height rounded down, at least 1 (spec OCM §10.5).
            case automatic
            /// The smallest size that covers the box, cut to the box.
            case cover
            /// Exactly the box, stretched.
            case fill
            /// As `inside`, then bars up to the box.
            case pad
        }

        /// How picture and box meet.
        public var mode: Mode
        /// The box's width; nil follows from the height.
        public var width: Length?
        /// The box's height; nil follows from the width.
        public var height: Length?
        /// What the fractions of `width` and `height` are parts of.
        public var measure = Measure.source
        /// Whether the picture may become larger than its source.
        ///
        /// Without it the box of `cover` and `fill` shrinks in proportion until neither side exceeds the source; the picture
        /// in a `pad` box does not grow, the box stays.
        public var enlarge = false
        /// Width to height of the box where a side or both are missing; nil is the picture's own.
        public var ratio: Double?
        /// Bounds on the box's sides, in pixels.
        public var bounds = Bounds()
        /// Which part `cover` keeps and where `pad` puts the picture.
        public var position = Position.centre
        /// What the bars of `pad` show.
        public var bars = Bars.background
        /// Whether the box of `pad` is held within the source's sides.
        public var holdsBoxWithinSource = false

        /// What a fraction is a part of.
        public enum Measure: String, Codable, Hashable, Sendable {
            /// The upright, turned picture as a whole, or what is left of it after the crop.
            case source, crop
        }

        /// A resize to a box.
        public init(_ mode: Mode, width: Length? = nil, height: Length? = nil) {
            self.mode = mode
            self.width = width
            self.height = height
        }

        /// The picture's own size.
        public static let none = Resize(.inside)

        /// The largest size that fits the box in pixels and does not exceed the source; a missing side is free.
        public static func inside(width: Int?, height: Int?) -> Resize {
            Resize(.inside, width: width.map(Length.pixels), height: height.map(Length.pixels))
        }

        /// A CMS's automatic rendition of this many pixels' width.
        public static func automatic(width: Int) -> Resize { Resize(.automatic, width: .pixels(width)) }
    }

    /// Bounds on a box, in pixels; where they contradict each other the upper one counts.
    public struct Bounds: Codable, Hashable, Sendable {
        /// Smallest width.
        public var minWidth: Double?
        /// Largest width.
        public var maxWidth: Double?
        /// Smallest height.
        public var minHeight: Double?
        /// Largest height.
        public var maxHeight: Double?

        /// No bounds.
        public init() {}
    }

    /// Which part of a picture matters.
    public enum Position: Codable, Hashable, Sendable {
        /// An edge or corner: −1 is left or top, 0 the middle, 1 right or bottom.
        case side(x: Int, y: Int)
        /// A point, each coordinate 0…1, that stays as central as it can; a zoom above 1 keeps that part of the window.
        case focus(x: Double, y: Double, zoom: Double)
        /// The part with most detail.
        case entropy
        /// The part that draws the eye.
        case attention

        /// The middle.
        public static let centre = Position.side(x: 0, y: 0)
    }

    /// What the bars around a padded picture show.
    public enum Bars: Codable, Hashable, Sendable {
        /// The background; transparent without one, or white where alpha cannot stay.
        case background
        case colour(Colour)
        /// The picture itself, enlarged and blurred.
        case blur
        /// The outermost pixels, repeated.
        case edges
    }

    /// The part of the picture that is cut out before the resize.
    public struct Crop: Codable, Hashable, Sendable {
        /// Where the part begins along one side.
        public enum Start: Codable, Hashable, Sendable {
            case at(Length)
            /// In the middle, or at the far end.
            case middle, end
        }

        /// What happens where the part does not lie within the picture.
        public enum Outside: String, Codable, Hashable, Sendable {
            /// It is clipped; an empty rest is refused.
            case refused
            /// It is clipped; an empty rest crops nothing.
            case clipped
            /// Nothing is cropped unless all of it lies within (spec AEM §6.5).
            case ignored
        }

        /// Where it begins from the left.
        public var x: Start
        /// Where it begins from the top.
        public var y: Start
        /// Its width, a fraction being of the picture's.
        public var width: Length
        /// Its height.
        public var height: Length
        /// What happens at the picture's edge.
        public var outside = Outside.refused

        /// A part of the picture.
        public init(x: Start, y: Start, width: Length, height: Length, outside: Outside = .refused) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
            self.outside = outside
        }
    }
}
