import Testing

@testable import RenditionServer

@Suite struct ContentDispositionTests {
    @Test(arguments: [
        ("harbour.jpg", "inline; filename=\"harbour.jpg\""),
        ("a b.jpg", "inline; filename=\"a b.jpg\""),
        ("né.jpg", "inline; filename=\"n_.jpg\"; filename*=UTF-8''n%C3%A9.jpg"),
        ("x\"y\\z.png", "inline; filename=\"x_y_z.png\"; filename*=UTF-8''x%22y%5Cz.png"),
        ("100%.png", "inline; filename=\"100_.png\"; filename*=UTF-8''100%25.png"),
        (
            "a\r\nSet-Cookie: b.png",
            "inline; filename=\"a__Set-Cookie: b.png\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b.png"
        ),
        ("日本.webp", "inline; filename=\"__.webp\"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.webp"),
    ])
    func `a name survives as RFC 6266 and 8187 write it`(name: String, value: String) {
        #expect(ContentDisposition.inline.fieldValue(fileName: name) == value)
    }

    @Test(arguments: [
        ("image/jpeg", ContentDisposition.inline), ("video/mp4", .inline), ("audio/ogg", .inline),
        ("application/pdf", .attachment), ("text/html", .attachment), ("", .attachment),
    ])
    func `what a browser plays is shown and the rest is saved`(mediaType: String, disposition: ContentDisposition) {
        #expect(ContentDisposition(mediaType: mediaType) == disposition)
    }
}
