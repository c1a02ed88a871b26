import Testing

@testable import RenditionCache

@Suite struct ISODateTests {
    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00.000Z"),
        (784_111_777.045, "1994-11-06T08:49:37.045Z"),
        (951_782_400.9996, "2000-02-29T00:00:01.000Z"),
        (-0.001, "1969-12-31T23:59:59.999Z"),
        (1e300, "9999-12-31T23:59:59.000Z"),
        (-1e300, "0000-01-01T00:00:00.000Z"),
    ])
    func `an instant is written as OCM writes it and read back`(seconds: Double, text: String) {
        #expect(ISODate.text(seconds: seconds) == text)
        let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
        #expect(ISODate.milliseconds(text) == Int((clamped * 1000).rounded()))
    }
}
