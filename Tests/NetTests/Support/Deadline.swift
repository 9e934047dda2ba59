import Net

/// How long a test waits for what must happen; generous, because the machine may be busy.
let patienceMilliseconds: Int64 = 10_000

/// Counts down from `patienceMilliseconds`.
struct Deadline {
  private let end: Moment

  init(milliseconds: Int64 = patienceMilliseconds) {
    end = MachineClock.monotonic() + milliseconds
  }

  var leftMilliseconds: Int64 { max(0, end - MachineClock.monotonic()) }
  var isOver: Bool { leftMilliseconds == 0 }
}
