import RenditionModel

/// A neutral stand-in: a light ground with the outline of a picture, drawn as SVG at the size it will have.
struct Placeholder {
    let size: PixelSize

    /// The drawing; the sign takes a third of the shorter side and is left out where it would be a blot.
    var svg: String {
        let side = Double(min(size.width, size.height)) / 3
        let left = (Double(size.width) - side) / 2
        let top = (Double(size.height) - side) / 2
        let sign =
            side < 8
            ? ""
            : """
            <g transform="translate(\(left) \(top)) scale(\(side / 24))" fill="none" stroke="#b4bcc4" stroke-width="1.6"
            stroke-linejoin="round"><rect x="1" y="3" width="22" height="18" rx="2.5"/><circle cx="7.5" cy="9" r="2"/>
            <path d="M1.5 18.5 8 13l4 3.5 5-5.5 5.5 5.5"/></g>
            """
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" height="\(size.height)">\
            <rect width="100%" height="100%" fill="#e9ecef"/>\(sign)</svg>
            """
    }
}
