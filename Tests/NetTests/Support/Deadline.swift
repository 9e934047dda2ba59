import Glibc
import Net

/// How long a test waits for what must happen; generous, because the machine may be busy.
/// Under a sanitizer everything takes several times as long: WHATTODO_PATIENCE says how many times.
let patienceMilliseconds: Int64 =
  10_000 * (getenv("WHATTODO_PATIENCE").flatMap { Int64(String(cString: $0)) } ?? 1)

/// Counts down from `patienceMilliseconds`.
struct Deadline {
  private let end: Moment

  init(milliseconds: Int64 = patienceMilliseconds) {
    end = MachineClock.monotonic() + milliseconds
  }

  var leftMilliseconds: Int64 { max(0, end - MachineClock.monotonic()) }
  var isOver: Bool { leftMilliseconds == 0 }
}
