import CHTTPServer
import Glibc

/// Instants as HTTP and OCM write them; the process never leaves the C locale, so names are English.
enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    static func text(_ seconds: Double) -> String {
        formatted(seconds, "%a, %d %b %Y %H:%M:%S GMT")
    }

    /// `1994-11-06T08:49:37.045Z`, always with milliseconds (spec OCM §7.2).
    static func isoText(_ seconds: Double) -> String {
        let milliseconds = (seconds * 1000).rounded()
        let whole = (milliseconds / 1000).rounded(.down)
        let rest = String(Int(milliseconds - whole * 1000))
        return formatted(whole, "%Y-%m-%dT%H:%M:%S") + "." + String(repeating: "0", count: 3 - rest.count) + rest + "Z"
    }

    /// Seconds since 1970; nil for what is none of the three forms that a recipient must accept (RFC 9110 §5.6.7).
    static func seconds(_ text: some StringProtocol) -> Double? {
        let text = String(text)
        for form in ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"] {
            var parts = tm()
            if chttp_read_time(text, form, &parts) != 0 { return Double(timegm(&parts)) }
        }
        return nil
    }

    private static func formatted(_ seconds: Double, _ form: String) -> String {
        var time = time_t(seconds.rounded(.down))
        var parts = tm()
        gmtime_r(&time, &parts)
        return String(unsafeUninitializedCapacity: 40) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, form, &parts) }
        }
    }
}
