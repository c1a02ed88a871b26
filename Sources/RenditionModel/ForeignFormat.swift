/// What a file is that rcache knows by its first bytes and hands to no decoder.
///
/// libvips could read each of these, by code that nobody has tried with hostile data. It is named so that a log says which
/// decoder was kept shut.
enum ForeignFormat {
    /// A plain name such as `PDF`, or nil if the beginning says nothing.
    static func name(signature bytes: UnsafeRawBufferPointer) -> String? {
        if let known = signatures.first(where: { bytes.has($0.text, at: $0.offset) }) { return known.name }
        if bytes.has("BM", at: 0), bytes.has("\u{0}\u{0}\u{0}\u{0}", at: 6) { return "BMP" }
        // PNM: P1 to P7, then white space.
        let isPortable = bytes.count > 2 && bytes[0] == 0x50 && (0x31...0x37).contains(bytes[1])
        return isPortable && [0x20, 0x0A, 0x0D, 0x09].contains(bytes[2]) ? "PNM" : nil
    }

    private static let signatures: [(text: String, offset: Int, name: String)] = [
        ("%PDF-", 0, "PDF"), ("%!PS", 0, "PostScript"), ("SIMPLE  =", 0, "FITS"), ("MATLAB 5.0", 0, "MATLAB"),
        ("#?RADIANCE", 0, "Radiance"), ("#?RGBE", 0, "Radiance"), ("8BPS", 0, "Photoshop"),
        ("v/1\u{1}", 0, "OpenEXR"), ("jP  \r\n", 4, "JPEG 2000"), ("DICM", 128, "DICOM"), ("gimp xcf", 0, "XCF"),
        ("\u{0}\u{0}\u{1}\u{0}", 0, "ICO"), ("n+1\u{0}", 344, "NIfTI"), ("ni1\u{0}", 344, "NIfTI"),
        ("push graphic-context", 0, "MVG"), ("PF\n", 0, "PFM"), ("Pf\n", 0, "PFM"),
        ("\u{5C}\u{1}\u{0}\u{0}", 0, "Analyze"), ("\u{0}\u{0}\u{1}\u{5C}", 0, "Analyze"),
        ("id=ImageMagick", 0, "MIFF"), ("AT&TFORM", 0, "DjVu"), ("\u{0}\u{0}\u{2}\u{0}", 0, "CUR"),
    ]
}
