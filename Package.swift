// swift-tools-version: 6.2
// The floors of the house, top to bottom; arrows point down only (Sources/README.md draws them).
import PackageDescription

let common: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Whether the Address Sanitizer watches the code that touches memory by itself (`scripts/check`): C, and what is not
/// pure. Pure code has no unsafe access.
let isWatched = Context.environment["WHATTODO_WATCH_MEMORY"] != nil
let strict: [SwiftSetting] = common + (isWatched ? [.unsafeFlags(["-sanitize=address"])] : [])
let strictC: [CSetting] =
  [.unsafeFlags(["-O2"], .when(configuration: .release))]
  + (isWatched ? [.unsafeFlags(["-fsanitize=address"])] : [])
let watchedLink: [LinkerSetting] = isWatched ? [.unsafeFlags(["-sanitize=address"])] : []

/// No I/O, clock, randomness or threads, and no unsafe code: the compiler holds the last part.
let pure: [SwiftSetting] = common + [.strictMemorySafety()]

/// The loops touch their state several times per message, always on their own thread. Debug builds, and so
/// every test, check at run time that no two accesses overlap; in release that was 10 % of an echo's CPU.
let unchecked: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

func door(_ name: String, pkgConfig: String, debian: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

/// Links against libFuzzer, which only `scripts/fuzz` gives it.
let fuzzer: [Target] =
  Context.environment["WHATTODO_FUZZ"] == nil
  ? []
  : [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Tests/Fuzz/Program",
      swiftSettings: strict),
  ]

let package = Package(
  name: "whattodo",
  products: [
    .executable(name: "whattodo-server", targets: ["WhattodoServer"]),
    .executable(name: "whattodo", targets: ["WhattodoTerminal"]),
    .executable(name: "whattodo-bot", targets: ["WhattodoBot"]),
    .executable(name: "websocket-echo", targets: ["EchoServer"]),
    .executable(name: "whattodo-simulate", targets: ["WhattodoSimulate"]),
    .executable(name: "whattodo-protocol", targets: ["WhattodoProtocol"]),
    .library(name: "WhattodoClient", targets: ["Client"]),
  ],
  targets: [
    // C doors: one library each, one Swift module behind each.
    .target(name: "CLinux", cSettings: strictC),
    .target(
      name: "CGatherVFS", dependencies: ["CVFSLayer"],
      cSettings: strictC),
    door("COpenSSL", pkgConfig: "openssl", debian: "libssl-dev"),
    .target(name: "CPages", dependencies: ["CVFSLayer"], cSettings: strictC),
    door("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    .target(
      name: "CVFSLayer", dependencies: ["CSQLite"],
      cSettings: strictC),
    door("CUtf8proc", pkgConfig: "libutf8proc", debian: "libutf8proc-dev"),
    door("CIcal", pkgConfig: "libical", debian: "libical-dev"),
    door("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
    door("CCurses", pkgConfig: "ncursesw", debian: "libncurses-dev"),
    door("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),

    // Pure.
    .target(
      name: "Deflate", dependencies: ["CZlib"], swiftSettings: strict, linkerSettings: watchedLink),
    .target(name: "WebSocket", dependencies: ["Deflate"], swiftSettings: pure),
    .target(name: "Domain", swiftSettings: pure),
    .target(
      name: "Text", dependencies: ["CUtf8proc"], swiftSettings: strict,
      linkerSettings: watchedLink),
    .target(name: "Calendar", dependencies: ["Domain", "CIcal"], swiftSettings: strict),
    .target(name: "QuickAdd", dependencies: ["Domain"], swiftSettings: pure),
    .target(name: "Wire", dependencies: ["Domain", "Text"], swiftSettings: pure),
    .target(name: "Sync", dependencies: ["Domain", "Text", "Wire"], swiftSettings: pure),

    // System.
    .target(name: "Crypto", dependencies: ["COpenSSL"], swiftSettings: strict),
    .target(
      name: "Net", dependencies: ["CLinux", "Crypto", "Deflate", "WebSocket"],
      swiftSettings: strict + unchecked),
    .target(
      name: "Store",
      dependencies: ["CGatherVFS", "CPages", "CSQLite", "Domain", "Text", "Wire", "Sync"],
      swiftSettings: strict),
    .target(name: "Screen", dependencies: ["CCurses", "Text"], swiftSettings: strict),
    .target(name: "Courier", dependencies: ["CCurl"], swiftSettings: strict),

    // Joined.
    .target(
      name: "Server",
      dependencies: [
        "Calendar", "Courier", "Crypto", "Domain", "Net", "Store", "Sync", "Text", "WebSocket",
        "Wire",
      ],
      swiftSettings: strict),
    .target(
      name: "Client",
      dependencies: ["Calendar", "Crypto", "Domain", "Net", "Sync", "Text", "WebSocket", "Wire"],
      swiftSettings: strict),

    .target(
      name: "Simulation", dependencies: ["Calendar", "Domain", "Sync", "Wire"],
      swiftSettings: pure),

    // Programs.
    .executableTarget(
      name: "WhattodoServer", dependencies: ["Server"], swiftSettings: strict,
      linkerSettings: [.linkedLibrary("mimalloc")]),
    .executableTarget(
      name: "WhattodoTerminal",
      dependencies: [
        "Calendar", "Client", "Domain", "QuickAdd", "Screen", "Sync", "Text", "Wire",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "WhattodoBot", dependencies: ["Client"], packageAccess: false, swiftSettings: strict),
    .executableTarget(
      name: "WhattodoSimulate",
      dependencies: ["Calendar", "PowerLoss", "Simulation", "Store", "Sync", "TestRandom"],
      swiftSettings: strict),
    .executableTarget(
      name: "WhattodoProtocol", dependencies: ["Domain", "Wire"], swiftSettings: strict),
    .executableTarget(
      name: "EchoServer", dependencies: ["Crypto", "Net", "WebSocket"],
      swiftSettings: strict + unchecked),

    // Tests.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Deflate", "Domain", "Net", "Server", "Sync", "TestRandom", "WebSocket", "Wire",
      ],
      path: "Tests/Fuzz/Targets", swiftSettings: strict),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"]),
    .executableTarget(
      name: "ConformanceClient", dependencies: ["Net", "WebSocket"],
      path: "Tests/Conformance/Client", swiftSettings: strict),
    .executableTarget(
      name: "TortureClient",
      dependencies: ["Client", "Crypto", "Domain", "Net", "Sync", "TestRandom", "Wire"],
      path: "Tests/Torture/Client", swiftSettings: strict),
    .testTarget(name: "DeflateTests", dependencies: ["Deflate", "TestRandom"]),
    .testTarget(name: "WebSocketTests", dependencies: ["Deflate", "TestRandom", "WebSocket"]),
    .testTarget(
      name: "DomainTests", dependencies: ["Calendar", "Domain", "MethodSamples", "TestRandom"]),
    .testTarget(name: "TextTests", dependencies: ["Text"]),
    .executableTarget(
      name: "OccurrenceLister", dependencies: ["Calendar", "Domain"],
      path: "Tests/Recurrence/Lister", swiftSettings: strict),
    .testTarget(name: "CalendarTests", dependencies: ["Calendar", "Domain"]),
    .testTarget(
      name: "QuickAddTests", dependencies: ["TestRandom", "Domain", "QuickAdd"]),
    .testTarget(
      name: "WireTests", dependencies: ["MethodSamples", "TestRandom", "Wire", "Domain"]),
    .testTarget(
      name: "SyncTests",
      dependencies: ["Calendar", "MethodSamples", "TestRandom", "Sync", "Wire", "Domain"]),
    .testTarget(
      name: "CryptoTests", dependencies: ["COpenSSL", "Crypto", "TestCertificates", "TestRandom"]),
    .testTarget(
      name: "CourierTests", dependencies: ["CCurl", "COpenSSL", "Courier", "TestCertificates"]),
    .testTarget(
      name: "NetTests",
      dependencies: ["Crypto", "Deflate", "Net", "TestCertificates", "TestRandom", "WebSocket"]),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "CRecordingVFS", "CSQLite", "Calendar", "Crypto", "MethodSamples", "PowerLoss",
        "Simulation", "TestRandom", "Store", "Sync", "Wire", "Domain",
      ]),
    // What a power failure leaves of files; for tests of the store and for the simulator.
    .target(
      name: "PowerLoss", dependencies: ["CRecordingVFS", "CSQLite", "TestRandom"],
      path: "Tests/Support/PowerLoss", swiftSettings: strict),
    .executableTarget(
      name: "StoreBenchmark",
      dependencies: [
        "CStatementRecorder", "Calendar", "Crypto", "Domain", "Store", "Sync", "Wire",
      ],
      path: "Tests/Benchmarks/Store", swiftSettings: strict),
    // Random numbers of a seed, for tests and for the programs that test.
    .target(name: "TestRandom", path: "Tests/Support/TestRandom", swiftSettings: pure),
    // The command of each method that the tests of rights, repeats, stores and sockets send, and where they send it.
    .target(
      name: "MethodSamples", dependencies: ["Domain"], path: "Tests/Support/MethodSamples",
      swiftSettings: pure),
    .executableTarget(
      name: "SampleLister", dependencies: ["Domain", "MethodSamples", "Wire"],
      path: "Tests/EndToEnd/Samples", swiftSettings: strict),
    .target(
      name: "TestCertificates", path: "Tests/Support/TestCertificates", swiftSettings: strict),
    .executableTarget(
      name: "EngineBenchmark", dependencies: ["Crypto", "WebSocket"],
      path: "Tests/Benchmarks/Engine", swiftSettings: strict),
    .target(
      name: "CStatementRecorder", dependencies: ["CSQLite"],
      path: "Tests/Support/CStatementRecorder"),
    // A layer under SQLite that records and fails.
    .target(
      name: "CRecordingVFS", dependencies: ["CVFSLayer"], path: "Tests/Support/CRecordingVFS",
      cSettings: strictC),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["Domain", "Simulation", "Store", "Sync", "WhattodoSimulate"]),
    .testTarget(name: "ScreenTests", dependencies: ["Screen", "TestRandom"]),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Server", "Client", "Deflate", "MethodSamples", "Net", "Store", "TestRandom", "Sync",
        "WebSocket", "Wire", "Domain", "Crypto",
      ]),
    .testTarget(
      name: "TerminalTests",
      dependencies: [
        "WhattodoTerminal", "Client", "Domain", "QuickAdd", "Screen", "Sync", "Wire",
      ]),
    .testTarget(name: "BotTests", dependencies: ["WhattodoBot"]),
  ] + fuzzer,
  swiftLanguageModes: [.v6]
)

// The sanitizers (scripts/test) and what plants bugs (scripts/mutants) build everything anew, each its own way: they
// name the targets that they ask.
if let only = Context.environment["WHATTODO_ONLY"] {
  var kept = Set(only.split(separator: " ").map(String.init))
  // Targets stand above what they need or below: as often as it takes.
  for _ in package.targets {
    for target in package.targets where kept.contains(target.name) {
      for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll {
    let targets = ($0 as? Product.Executable)?.targets ?? ($0 as? Product.Library)?.targets
    return !kept.isSuperset(of: targets ?? [])
  }
}
