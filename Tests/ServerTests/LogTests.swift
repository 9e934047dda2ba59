import Net
import Testing

@testable import Server

@Suite("The operator's log")
struct LogTests {
  @Test(
    "keeps so many lines for whoever is slow to take them, and counts the rest",
    arguments: [(-1, nil), (0, nil), (1, 2), (2, 3), (5_000, 5_001)] as [(Int, Int?)])
  func bounded(_ beyond: Int, _ leftOut: Int?) throws {
    let mailbox = try Mailbox<LogMessage>()
    let lines = ServerLimits.logLinesMax + beyond
    for number in 0..<lines { Log(mailbox: mailbox).note("line \(number)") }
    let waiting = mailbox.take()
    #expect(waiting.count == min(lines, ServerLimits.logLinesMax))
    var told: Int?
    if case .leftOut(let count) = waiting.last { told = count }
    #expect(told == leftOut)
    let written = waiting.count { if case .line = $0 { true } else { false } }
    #expect(written + (leftOut ?? 0) == lines)
    Log(mailbox: mailbox).note("again")
    guard case .line("again") = mailbox.take().first else {
      Issue.record("a mailbox that was emptied takes lines again")
      return
    }
  }
}
