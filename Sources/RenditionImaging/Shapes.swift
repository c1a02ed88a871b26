import CVips
import RenditionModel

/// Shapes as SVG of a picture's size, which a renderer draws with soft edges.
enum Shapes {
    /// What a mask leaves visible, in white.
    static func mask(_ shape: RenderStep.MaskShape, _ size: PixelSize) -> String {
        let (width, height) = (Double(size.width), Double(size.height))
        switch shape {
        case .ellipse:
            let (x, y) = (width / 2, height / 2)
            return svg(size, #"<ellipse cx="\#(x)" cy="\#(y)" rx="\#(x)" ry="\#(y)" fill="white"/>"#)
        case .corners(let radii):
            return svg(size, #"<path d="\#(rounded(width, height, radii))" fill="white"/>"#)
        }
    }

    /// A frame of so many pixels along the edge.
    static func frame(_ size: PixelSize, width: Int, _ colour: Transform.Colour) -> String {
        let (right, bottom) = (size.width - width, size.height - width)
        let hole = right > width && bottom > width ? "M\(width) \(width)V\(bottom)H\(right)V\(width)Z" : ""
        let fill = "rgb(\(colour.red),\(colour.green),\(colour.blue))"
        return svg(
            size,
            #"<path d="M0 0H\#(size.width)V\#(size.height)H0Z\#(hole)" fill="\#(fill)" fill-rule="evenodd" "#
                + #"fill-opacity="\#(Double(colour.alpha) / 255)"/>"#
        )
    }

    private static func svg(_ size: PixelSize, _ content: String) -> String {
        #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(size.width)" height="\#(size.height)">\#(content)</svg>"#
    }

    /// A rectangle with four radii, clockwise from the upper left; they shrink together where a side is too short for two.
    private static func rounded(_ width: Double, _ height: Double, _ radii: [Double]) -> String {
        let wanted = (0..<4).map { $0 < radii.count ? max(0, radii[$0]) : 0 }
        let sums = [
            (wanted[0] + wanted[1], width), (wanted[2] + wanted[3], width), (wanted[1] + wanted[2], height),
            (wanted[3] + wanted[0], height),
        ]
        let factor = sums.reduce(1.0) { $1.0 > 0 ? min($0, $1.1 / $1.0) : $0 }
        let r = wanted.map { $0 * factor }
        func arc(_ radius: Double, _ x: Double, _ y: Double) -> String { "A\(radius) \(radius) 0 0 1 \(x) \(y)" }
        return "M\(r[0]) 0H\(width - r[1])\(arc(r[1], width, r[1]))V\(height - r[2])\(arc(r[2], width - r[2], height))"
            + "H\(r[3])\(arc(r[3], 0, height - r[3]))V\(r[0])\(arc(r[0], r[0], 0))Z"
    }
}

extension Raster {
    /// Makes transparent what is outside a shape.
    consuming func masked(_ shape: RenderStep.MaskShape) throws(StepFailure) -> Raster {
        try with(Shapes.mask(shape, size), "mask", cvips_keep_where)
    }

    /// Paints a frame over the edge.
    consuming func bordered(_ width: Int, _ colour: Transform.Colour) throws(StepFailure) -> Raster {
        try with(Shapes.frame(size, width: width, colour), "border") { cvips_place($0, $1, 0, 0, $2) }
    }

    /// Does something with this picture and a drawing of the same size, and computes it while the drawing is there.
    consuming func with(
        _ drawing: String,
        _ step: String,
        _ operation: (OpaquePointer, OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(StepFailure) -> Raster {
        let shape = try Array(drawing.utf8).lending { bytes throws(StepFailure) in
            try Raster(loading: bytes, loader: ImageFormat.svg.loader).materialised()
        }
        let result = try deriving(step) { image, out in shape.borrowing { operation(image, $0, out) } }
        return try result.materialised()
    }
}
