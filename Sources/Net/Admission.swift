/// Who may come in, and to which loop: the counts behind `connectionsMax` and
/// `connectionsPerAddressMax`. Loop 0 owns it; the other loops tell it who left.
struct Admission {
  /// What to do with somebody who was accepted.
  enum Verdict: Equatable {
    case serve(loop: Int)
    /// Answer 503 when the request has come: there are too many, in all or from this address.
    case turnAway(loop: Int, as: Class)
    /// There are too many to turn away politely: close.
    case drop
  }

  /// What a connection is counted as.
  enum Class: UInt8, Sendable {
    case served
    /// The same, but its address is a trusted proxy's and not counted: it may ask for many clients.
    case proxied
    /// Waits for its 503, because there are too many.
    case turnedAway
    /// The same, because there are too many of its address.
    case crowded
    /// Came by a side listener: in nobody's way, and bounded by itself.
    case side
  }

  /// Somebody who left.
  struct Departure: Sendable {
    let loop: Int
    let prefix: PeerAddress
    let kind: Class
  }

  /// So many may wait for their 503 at a time: each costs a descriptor for up to ten seconds.
  static let turnedAwayMax = 256
  /// Connections by side listeners: a few who look at figures.
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

  /// Nil: a trusted proxy, whose clients are counted by `claim`.
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

  /// A connection that was admitted through a proxy is from there; false when there are too many.
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
