extension Transform {
    /// This, with what another says otherwise than by default.
    public func overlaid(by other: Transform) -> Transform {
        let plain = Transform()
        var result = self
        func take<Value: Equatable>(_ path: WritableKeyPath<Transform, Value>) {
            if other[keyPath: path] != plain[keyPath: path] { result[keyPath: path] = other[keyPath: path] }
        }
        take(\.frames)
        take(\.trim)
        take(\.orientation)
        take(\.rotation)
        take(\.base)
        take(\.crop)
        take(\.resize)
        take(\.tilt)
        take(\.flip)
        take(\.adjustments)
        take(\.effects)
        take(\.padding)
        take(\.background)
        take(\.mask)
        take(\.text)
        take(\.mark)
        take(\.border)
        take(\.format)
        take(\.quality)
        take(\.variant)
        take(\.metadata)
        take(\.profile)
        take(\.oversize)
        return result
    }
}
