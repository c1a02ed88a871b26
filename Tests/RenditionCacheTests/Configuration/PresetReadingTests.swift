import Testing

@testable import RenditionCache

@Suite struct PresetReadingTests {
    @Test(arguments: [
        ("{format: 'auto', width: 1600, quality: 80}", "format=auto&quality=80&width=1600"),
        ("{format: 'smallest', quality: 'auto'}", "format=smallest&quality=auto"),
        ("{preferwebp: true, animated: false, rotate: 90}", "preferwebp=true&animated=false&rotate=90"),
        ("{size: '300,200', fit: 'cover', enlarge: true}", "size=300,200&fit=cover&enlarge=true"),
        ("{crop: '10%,0,80%,100%', gravity: 'north', trim: 12}", "crop=10%25,0,80%25,100%25&gravity=north&trim=12"),
        ("{width: '50%', dpr: 1.5, blur: 0.5, sharpen: 1}", "width=50%25&dpr=1.5&blur=0.5&sharpen=1"),
        ("{fit: 'pad', width: 9, height: 9, background: 'ff8800'}", "fit=pad&width=9&height=9&background=ff8800"),
        (
            "{flip: 'hv', metadata: 'copyright', profile: 'keep', focus: '0.1,0.9', width: 8, height: 9, fit: 'cover'}",
            "flip=hv&metadata=copyright&profile=keep&focus=0.1,0.9&width=8&height=9&fit=cover"
        ),
    ])
    func `a preset means what its parameters mean in a query`(_ preset: String, _ query: String) throws {
        let text = "{presets: {p: \(preset)}, \(ConfigurationReadingTests.rest)"
        let configuration = try Configuration.parse(text, baseDirectory: "/etc/rcache") { _ in nil }
        #expect(try configuration.presets["p"] == OwnDialect.transform(query: query))
    }

    @Test(arguments: [("avif,auto", Transform.Format.auto(avif: true)), ("avif,smallest", .smallest(avif: true))])
    func `a preset may consider AVIF, and a query may not`(_ format: String, _ expected: Transform.Format) throws {
        let text = "{presets: {p: {format: '\(format)'}}, \(ConfigurationReadingTests.rest)"
        let configuration = try Configuration.parse(text, baseDirectory: "/etc/rcache") { _ in nil }
        #expect(configuration.presets["p"]?.format == expected)
        #expect(throws: RequestError.self) { try OwnDialect.transform(query: "format=\(format)") }
    }
}
