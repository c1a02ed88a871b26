/// The compact form of `EntryMetadata` that the table, the index and the trailers hold.
///
/// A version byte, then each field in a fixed order: texts with a length in LEB128, numbers as LEB128, a missing one
/// as 0 and others one higher. JSON would take three times the room in memory and fifty times as long to load.
enum MetadataCoding {
    static let version: UInt8 = 1

    static func encode(_ metadata: EntryMetadata) -> [UInt8] {
        var bytes = Bytes()
        bytes.array.append(version)
        bytes.append(metadata.channel)
        bytes.append(metadata.asset)
        bytes.append(metadata.form)
        bytes.append(metadata.version)
        bytes.append(metadata.isSource ? 1 : 0)
        bytes.append(makers.firstIndex(of: metadata.maker).map(UInt64.init) ?? 0)
        bytes.append(metadata.format.flatMap(ImageFormat.allCases.firstIndex).map { UInt64($0) + 1 } ?? 0)
        bytes.append(metadata.mediaType == metadata.format?.mediaType ? "" : metadata.mediaType)
        bytes.append(optional: metadata.size?.width)
        bytes.append(optional: metadata.size?.height)
        bytes.append(optional: metadata.keptFrames)
        bytes.append(optional: metadata.totalFrames)
        bytes.append(metadata.fileName)
        bytes.append(metadata.originEntityTag ?? "")
        bytes.append(metadata.modifiedSeconds == nil ? 0 : 1)
        bytes.append(metadata.modifiedSeconds?.bitPattern.byteSwapped ?? 0)
        bytes.append(metadata.storedSeconds.bitPattern.byteSwapped)
        // An array that was grown has up to twice the room it needs; this one lives in the table.
        return Array(bytes.array[...])
    }

    /// Nil for bytes that are of another version or cut short.
    static func decode(_ bytes: [UInt8]) -> EntryMetadata? {
        guard bytes.first == version else { return nil }
        return bytes.withUnsafeBytes { buffer in
            var reader = Reader(bytes: buffer, offset: 1)
            return reader.metadata()
        }
    }

    /// The channel and asset alone, as a hash; what the table chains an asset's entries by.
    static func assetTag(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { buffer in
            var reader = Reader(bytes: buffer, offset: 1)
            guard let channel = reader.span(), let asset = reader.span() else { return 0 }
            return assetTag(channel: buffer[channel], asset: buffer[asset])
        }
    }

    /// FNV-1a, folded; a collision only makes a chain longer, the reader compares the texts.
    static func assetTag(channel: some Sequence<UInt8>, asset: some Sequence<UInt8>) -> UInt32 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in channel { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        hash = hash &* 0x0000_0100_0000_01b3
        for byte in asset { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }

    fileprivate static let makers: [Provenance.Maker] = [.origin, .local, .placeholder]
}

/// Bytes being written.
private struct Bytes {
    var array: [UInt8] = []

    mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            array.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        array.append(UInt8(rest))
    }

    mutating func append(optional number: Int?) { append(number.map { UInt64(max(0, $0)) + 1 } ?? 0) }

    mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        array.append(contentsOf: text.utf8)
    }
}

/// Bytes being read; every function returns nil at the end.
private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var offset: Int

    mutating func number() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    mutating func optionalNumber() -> Int?? {
        guard let value = number(), value <= UInt64(Int.max) else { return nil }
        return .some(value == 0 ? nil : Int(value) - 1)
    }

    mutating func span() -> Range<Int>? {
        guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
        defer { offset += Int(count) }
        return offset..<offset + Int(count)
    }

    mutating func text() -> String? {
        span().map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    mutating func metadata() -> EntryMetadata? {
        guard let channel = text(), let asset = text(), let form = text(), let version = text(),
            let isSource = number(), let maker = number(), let format = number(), let mediaType = text(),
            let width = optionalNumber(), let height = optionalNumber(),
            let kept = optionalNumber(), let total = optionalNumber(),
            let fileName = text(), let tag = text(),
            let hasModified = number(), let modified = number(), let stored = number(),
            maker < MetadataCoding.makers.count, format <= ImageFormat.allCases.count
        else { return nil }
        let knownFormat = format == 0 ? nil : ImageFormat.allCases[Int(format) - 1]
        return EntryMetadata(
            channel: channel,
            asset: asset,
            form: form,
            version: version,
            isSource: isSource == 1,
            maker: MetadataCoding.makers[Int(maker)],
            format: knownFormat,
            mediaType: mediaType.isEmpty ? knownFormat?.mediaType ?? "" : mediaType,
            size: width.flatMap { width in height.map { PixelSize(width: width, height: $0) } },
            keptFrames: kept,
            totalFrames: total,
            fileName: fileName,
            originEntityTag: tag.isEmpty ? nil : tag,
            modifiedSeconds: hasModified == 0 ? nil : Double(bitPattern: modified.byteSwapped),
            storedSeconds: Double(bitPattern: stored.byteSwapped)
        )
    }
}
