import Testing

@testable import RenditionCache

@Suite struct IPAddressTests {
    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111", "2001:4860:4860::8888",
        "[2a00:1450::1]",
    ]) func `an address of the public internet is public`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
        "192.168.0.1", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
        "240.0.0.1", "255.255.255.255",
        // Unspecified, loopback, link-local, unique local, site-local, multicast, documentation, discard.
        "::", "::1", "fe80::1", "fc00::1", "fdff::1", "fec0::1", "ff02::1", "2001:db8::1", "3fff::1", "100::1",
        // IPv4 inside: mapped, compatible, translated, NAT64 (both prefixes), 6to4, Teredo.
        "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::10.0.0.1", "::ffff:0:10.0.0.1", "64:ff9b::10.0.0.1",
        "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::1", "2001:0:1::1",
    ]) func `any other address is not`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic == false)
    }

    @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "fe80::1%eth0", "0x7f.1", "::g", "[1.2.3.4"])
    func `a text that is no plain address is none`(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test(arguments: [
        ("10.1.0.0/16", "10.1.255.255", true), ("10.1.0.0/16", "10.2.0.0", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.3", "10.1.2.4", false), ("192.168.8.0/21", "192.168.15.1", true),
        ("192.168.8.0/21", "192.168.16.1", false), ("0.0.0.0/0", "255.1.1.1", true), ("0.0.0.0/0", "::1", false),
        ("fd00::/8", "fdab::1", true), ("fd00::/8", "fcab::1", false),
    ]) func `a block contains what shares its first bits`(_ block: String, _ address: String, _ isInside: Bool) throws {
        let inside = try #require(AddressBlock(block)).contains(try #require(IPAddress(address)))
        #expect(inside == isInside)
    }

    @Test(arguments: ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "host/8", "::/129", ""])
    func `a block that is none is refused`(_ text: String) { #expect(AddressBlock(text) == nil) }
}
