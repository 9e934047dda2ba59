import Glibc
import Testing

@testable import Net

@Suite("The mailbox")
struct MailboxTests {
  @Test("gives what was posted, in order, once")
  func order() throws {
    let mailbox = try Mailbox<Int>()
    mailbox.post(1)
    mailbox.post(contentsOf: [2, 3])
    mailbox.post(contentsOf: [])
    #expect(mailbox.take() == [1, 2, 3])
    #expect(mailbox.take() == [])
  }

  @Test("wakes once per batch, and again after the batch was taken")
  func wakesOnce() throws {
    let mailbox = try Mailbox<Int>()
    #expect(wakes(of: mailbox) == 0)
    mailbox.post(1)
    mailbox.post(2)
    mailbox.post(contentsOf: [3, 4])
    #expect(wakes(of: mailbox) == 1)
    #expect(mailbox.take() == [1, 2, 3, 4])
    mailbox.post(5)
    #expect(wakes(of: mailbox) == 1)
  }

  @Test("a wait without a message ends in time, not before")
  func waitEnds() throws {
    let mailbox = try Mailbox<Int>()
    let start = MachineClock.monotonic()
    #expect(mailbox.wait(milliseconds: 30) == [])
    #expect(MachineClock.monotonic() - start >= 29)
  }

  @Test("nothing is lost between four posting threads and one that waits")
  func threads() throws {
    let mailbox = try Mailbox<[Int]>()
    let count = 20_000
    var threads: [Net.Thread] = []
    for poster in 0..<4 {
      threads.append(
        try Net.Thread.start(name: "poster \(poster)") {
          for number in 0..<count { mailbox.post([poster, number]) }
        })
    }
    var next = [0, 0, 0, 0]
    let deadline = Deadline()
    while next.contains(where: { $0 < count }), !deadline.isOver {
      for message in mailbox.wait(milliseconds: Int(deadline.leftMilliseconds)) {
        #expect(message[1] == next[message[0]])
        next[message[0]] += 1
      }
    }
    #expect(next == [count, count, count, count])
    for thread in threads { thread.join() }
  }

  /// How often the eventfd was written since it was last read; reads it.
  private func wakes<Message>(of mailbox: Mailbox<Message>) -> UInt64 {
    var count: UInt64 = 0
    guard read(mailbox.descriptor, &count, 8) == 8 else { return 0 }
    return count
  }
}
