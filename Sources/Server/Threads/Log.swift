// Lines for the operator on standard error. A thread of their own writes them, because a loop must not wait for a
// terminal or a pipe. A line names what happened and never a secret: no token, password, code, hash or text of a user
// goes in; ids may. Lines that nobody takes fast enough are counted, not kept.

internal import Glibc
internal import Net

enum LogMessage: Sendable {
  case line(String)
  /// The number of lines that were left out in the place of this one.
  case leftOut(Int)
  case stop
}

/// Writes lines to the operator. Any thread may use it.
struct Log: Sendable {
  let mailbox: Mailbox<LogMessage>

  func note(_ text: String) {
    mailbox.post(.line(text), max: ServerLimits.logLinesMax) { newest in
      switch newest {
      case .line: newest = .leftOut(2)
      case .leftOut(let count): newest = .leftOut(count + 1)
      case .stop: break
      }
    }
  }
}

/// Runs on the log thread until `.stop`.
func runLog(_ mailbox: Mailbox<LogMessage>) {
  while true {
    for message in mailbox.wait() {
      switch message {
      case .line(let text): writeLine(text)
      case .leftOut(let count): writeLine("\(count) lines left out")
      case .stop: return
      }
    }
  }
}

private func writeLine(_ text: String) {
  let seconds = MachineClock.wallMilliseconds() / 1_000
  var bytes = Array("\(UTCTime(secondsSince1970: seconds)) \(text)\n".utf8)[...]
  while !bytes.isEmpty {
    let written = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    // Nobody reads the log, so there is nobody to tell.
    if written <= 0 { return }
    bytes = bytes.dropFirst(written)
  }
}

/// A moment in the form `2026-11-20T12:00:00Z`.
private struct UTCTime: CustomStringConvertible {
  let secondsSince1970: Int64

  var description: String {
    var parts = tm()
    var seconds = time_t(secondsSince1970)
    unsafe gmtime_r(&seconds, &parts)
    let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  private func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
