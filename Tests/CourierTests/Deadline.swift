// Time for tests: nothing waits without an end, and nothing sleeps to wait for something.

import Glibc

@testable import Courier

/// The milliseconds for which a test waits for what must happen. Under a sanitizer everything takes several times as
/// long: WHATTODO_PATIENCE says how many times.
let patienceMilliseconds =
  10_000 * (getenv("WHATTODO_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 1)

/// Counts down from `patienceMilliseconds`.
struct Deadline {
  private let end = ContinuousClock.now + .milliseconds(patienceMilliseconds)

  var leftMilliseconds: Int {
    let left = ContinuousClock.now.duration(to: end)
    return max(0, Int(left.components.seconds) * 1_000)
      + Int(max(0, left.components.attoseconds) / 1_000_000_000_000_000)
  }
  var isOver: Bool { leftMilliseconds == 0 }
}

extension Courier {
  /// Waits until that many letters have ended, or the deadline is over. Returns those that have, in their order.
  func collect(_ count: Int, _ deadline: Deadline = Deadline()) -> [Delivered] {
    var delivered: [Delivered] = []
    while delivered.count < count, !deadline.isOver {
      delivered += wait(milliseconds: deadline.leftMilliseconds, orReadable: -1)
    }
    return delivered
  }

  /// Sends one letter and waits for its end. Nil when none came in time, or another came.
  func deliver(
    _ address: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) -> Delivered? {
    send(Letter(id: 7, address: address, headers: headers, body: body))
    let delivered = collect(1)
    return delivered.count == 1 && delivered[0].id == 7 && inFlight == 0 ? delivered[0] : nil
  }
}
