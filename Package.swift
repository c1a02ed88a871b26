// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
let strictC: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

let package = Package(
    name: "rcache",
    products: [
        .library(name: "RenditionCache", targets: ["RenditionCache"]),
        .executable(name: "rcache", targets: ["rcache"]),
        .executable(name: "rcache-render", targets: ["rcache-render"]),
    ],
    targets: [
        .systemLibrary(name: "CVipsSystem", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CHTTPServer", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .target(
            name: "CVips",
            dependencies: ["CVipsSystem"],
            cSettings: strictC,
            linkerSettings: [.linkedLibrary("gmodule-2.0")]
        ),
        .target(name: "CSystem", cSettings: strictC),
        .target(name: "CSandbox", cSettings: strictC, linkerSettings: [.linkedLibrary("seccomp")]),
        // Opens libxml2 itself, when the first HTML is read.
        .target(name: "CXML", cSettings: strictC),

        .target(name: "RenditionModel", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
        .target(name: "RenditionImaging", dependencies: ["RenditionModel", "CVips"], swiftSettings: strict),
        .target(
            name: "RenditionCache",
            dependencies: ["RenditionModel", "CCurl", "CSQLite", "CCrypto", "CSystem", "CXML"],
            swiftSettings: strict
        ),
        .target(name: "RenditionServer", dependencies: ["RenditionCache", "CHTTPServer"], swiftSettings: strict),
        .executableTarget(name: "rcache", dependencies: ["RenditionServer", "RenditionCache"], swiftSettings: strict),
        .executableTarget(
            name: "rcache-render",
            dependencies: ["RenditionImaging", "RenditionModel", "CSystem", "CSandbox"],
            swiftSettings: strict
        ),

        .target(
            name: "TestSupport",
            dependencies: ["RenditionModel"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .testTarget(
            name: "RenditionModelTests",
            dependencies: ["RenditionModel", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RenditionImagingTests",
            dependencies: ["RenditionImaging", "RenditionCache", "TestSupport", "CVips", "CSandbox"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RenditionCacheTests",
            dependencies: ["RenditionCache", "TestSupport", "rcache-render"],
            exclude: ["Fixtures"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RenditionServerTests",
            dependencies: ["RenditionServer", "RenditionCache", "TestSupport", "rcache-render"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["TestSupport", "rcache", "rcache-render", "RenditionImaging", "CVips"],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)
