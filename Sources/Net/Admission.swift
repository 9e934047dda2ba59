/// The counts that decide who may come in, and to which loop: those behind `connectionsMax` and
/// `connectionsPerAddressMax`. Loop 0 owns them; the other loops tell it who left.
struct Admission {
  /// The decision about a connection that was accepted.
  enum Verdict: Equatable {
    case serve(loop: Int)
    /// There are too many connections, in all or from this address: answer 503 when the request has come.
    case turnAway(loop: Int, as: Class)
    /// There are too many connections to turn this one away politely: close it.
    case drop
  }

  /// The class that a connection is counted in.
  enum Class: UInt8, Sendable {
    case served
    /// The connection is served, but its address is a trusted proxy's and not counted: it may ask for many clients.
    case proxied
    /// The connection waits for its 503, because there are too many in all.
    case turnedAway
    /// The connection waits for its 503, because there are too many of its address.
    case crowded
    /// The connection came by a side listener. It takes no place from others, and has a bound of its own.
    case side
  }

  /// A connection that has ended, for loop 0 to count out.
  struct Departure: Sendable {
    let loop: Int
    let prefix: PeerAddress
    let kind: Class
  }

  /// The most connections that may wait for their 503 at a time: each costs a descriptor for up to ten seconds.
  static let turnedAwayMax = 256
  /// The most connections by side listeners: a few people who look at figures.
  static let sideMax = 16

  private let connectionsMax: Int
  private let perAddressMax: Int
  private var perLoop: [Int]
  private var perPrefix: [PeerAddress: Int] = [:]
  private var served = 0
  private var turnedAway = 0
  private var side = 0

  init(connectionsMax: Int, perAddressMax: Int, loops: Int) {
    self.connectionsMax = connectionsMax
    self.perAddressMax = perAddressMax
    perLoop = Array(repeating: 0, count: loops)
  }

  /// Admits a connection from an address. `prefix` is nil for a trusted proxy, whose clients are counted by `claim`.
  mutating func admit(_ prefix: PeerAddress?) -> Verdict {
    let loop = loopWithFewest
    guard served < connectionsMax, hasRoom(for: prefix) else {
      guard turnedAway < Admission.turnedAwayMax else { return .drop }
      turnedAway += 1
      perLoop[loop] += 1
      return .turnAway(loop: loop, as: served < connectionsMax ? .crowded : .turnedAway)
    }
    served += 1
    perLoop[loop] += 1
    if let prefix { perPrefix[prefix, default: 0] += 1 }
    return .serve(loop: loop)
  }

  /// Counts a connection that was admitted through a proxy for this address. False when there are too many from it.
  mutating func claim(_ prefix: PeerAddress) -> Bool {
    guard hasRoom(for: prefix) else { return false }
    perPrefix[prefix, default: 0] += 1
    return true
  }

  mutating func unclaim(_ prefix: PeerAddress) {
    let left = (perPrefix[prefix] ?? 1) - 1
    perPrefix[prefix] = left > 0 ? left : nil
  }

  mutating func admitToSide() -> Verdict {
    guard side < Admission.sideMax else { return .drop }
    side += 1
    let loop = loopWithFewest
    perLoop[loop] += 1
    return .serve(loop: loop)
  }

  mutating func leave(_ departure: Departure) {
    perLoop[departure.loop] -= 1
    switch departure.kind {
    case .turnedAway, .crowded: turnedAway -= 1
    case .side: side -= 1
    case .proxied: served -= 1
    case .served:
      served -= 1
      unclaim(departure.prefix)
    }
  }

  private func hasRoom(for prefix: PeerAddress?) -> Bool {
    guard let prefix else { return true }
    return perPrefix[prefix] ?? 0 < perAddressMax
  }

  private var loopWithFewest: Int {
    var best = 0
    for loop in perLoop.indices where perLoop[loop] < perLoop[best] { best = loop }
    return best
  }
}
