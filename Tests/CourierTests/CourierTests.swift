// The way of letters: what is sent, in which order and how often they end, times, wakes, the end of a courier.

import Glibc
import Testing

@testable import Courier

@Suite("The courier")
struct CourierTests {
  private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
  private let reply = Outcome.answered(Reply(status: 200, body: Array("ok".utf8)))

  private func makeCourier(
    totalMilliseconds: Int = patienceMilliseconds, connectMilliseconds: Int = patienceMilliseconds
  ) throws -> Courier {
    try Courier(
      CourierOptions(
        reachesPrivateAddresses: true, connectMilliseconds: connectMilliseconds,
        totalMilliseconds: totalMilliseconds))
  }

  private func letter(_ id: Int, _ address: String) -> Letter {
    Letter(id: UInt64(id), address: address, headers: [], body: Array("letter \(id)".utf8))
  }

  @Test("a letter arrives as it was written")
  func arrives() throws {
    let receiver = try Receiver(.answers(CourierTests.fine))
    let courier = try makeCourier()
    let headers = [
      (name: "Content-Type", value: "application/json"), (name: "X-Empty", value: ""),
      (name: "X-Signature", value: "sha256=00ff; tab\there"),
    ]
    let body = [UInt8](0...255)
    let address = receiver.address("/a/../b%20c?d=e%26f#fragment")
    #expect(courier.deliver(address, headers: headers, body: body)?.outcome == reply)
    let request = try #require(receiver.requests.first)
    let lines = request.head.split(separator: "\r\n").map(String.init)
    #expect(lines.first == "POST /b%20c?d=e%26f HTTP/1.1")
    #expect(
      Set(lines.dropFirst()) == [
        "Host: 127.0.0.1:\(receiver.port)", "Accept: */*", "Content-Type: application/json",
        "X-Empty:", "X-Signature: sha256=00ff; tab\there", "Content-Length: 256",
      ])
    #expect(request.body == body)
  }

  @Test(
    "a letter of any length arrives without a question before it", arguments: [0, 1, 3_000_000])
  func lengths(count: Int) throws {
    let receiver = try Receiver(.answers(CourierTests.fine))
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try makeCourier().deliver(receiver.address(), body: body)?.outcome == reply)
    let request = try #require(receiver.requests.first)
    #expect(request.body == body)
    #expect(!request.head.lowercased().contains("expect"))
  }

  @Test(
    "a header that could become two, or none, is never sent",
    arguments: [
      ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\0b"), ("X", "\u{7F}"), ("X\r\nY", "a"),
      ("", "a"), ("X Y", "a"), ("X:", "a"), ("X;", "a"), ("Ä", "a"),
    ])
  func malformedHeader(name: String, value: String) throws {
    let receiver = try Receiver(.answers(CourierTests.fine))
    let delivered = try makeCourier().deliver(
      receiver.address(), headers: [(name: name, value: value)])
    #expect(delivered?.outcome == .failed(.other(code: 43)))
    #expect(receiver.connections == 0)
  }

  @Test("two letters, one after the other, share a connection")
  func reuse() throws {
    let receiver = try Receiver(.answers(CourierTests.fine))
    let courier = try makeCourier()
    for _ in 0..<2 { #expect(courier.deliver(receiver.address())?.outcome == reply) }
    #expect(receiver.requests.map(\.connection) == [1, 1])
  }

  @Test("100 letters at once end once each, on four connections")
  func many() throws {
    let receiver = try Receiver(.answers(CourierTests.fine))
    let courier = try makeCourier()
    for id in 0..<100 { courier.send(letter(id, receiver.address())) }
    #expect(courier.inFlight == 100)
    let delivered = courier.collect(100)
    #expect(delivered.map(\.id).sorted() == (0..<100).map { UInt64($0) })
    #expect(delivered.allSatisfy { $0.outcome == reply })
    #expect(courier.inFlight == 0)
    #expect(courier.wait(milliseconds: 0, orReadable: -1).isEmpty)
    #expect(receiver.requests.count == 100)
    #expect(receiver.openMax <= WaitingLine.movingMax)
  }

  @Test("a host that is silent keeps no letter to another host waiting")
  func fairness() throws {
    let silent = try Receiver(.keepsSilent)
    let quick = try Receiver(.answers(CourierTests.fine))
    let courier = try makeCourier(totalMilliseconds: patienceMilliseconds / 3)
    for id in 0..<40 {
      courier.send(letter(id, id.isMultiple(of: 2) ? silent.address() : quick.address()))
    }
    let delivered = courier.collect(40)
    #expect(delivered.map(\.id).sorted() == (0..<40).map { UInt64($0) })
    for letter in delivered where !letter.id.isMultiple(of: 2) { #expect(letter.outcome == reply) }
    // Four had all the time. One of the others may have been sent so much later that it got the rest of its own.
    let silenced = delivered.filter { $0.id.isMultiple(of: 2) }.map(\.outcome)
    let timedOut = silenced.count { $0 == .failed(.timedOut) }
    #expect(timedOut >= WaitingLine.movingMax)
    #expect(silenced.count { $0 == .failed(.notTried) } == 20 - timedOut)
    #expect(silent.requests.count <= timedOut)
    #expect(delivered.prefix(20).allSatisfy { $0.outcome == reply })
  }

  @Test("a letter that waited has only the rest of its time")
  func restOfTime() throws {
    // Each answer takes about 0.9 s, so the second letter of a connection has too little time left.
    let slow = try Receiver(.trickles("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
    let courier = try makeCourier(totalMilliseconds: 1_300)
    for id in 0..<8 { courier.send(letter(id, slow.address())) }
    let delivered = courier.collect(8)
    #expect(delivered.count == 8)
    let late: [Outcome] = [.failed(.timedOut), .failed(.notTried)]
    #expect(delivered.count { late.contains($0.outcome) } >= 4)
    #expect(delivered.allSatisfy { $0.milliseconds < 1_300 + patienceMilliseconds / 2 })
  }

  @Test(
    "a letter ends when its time is over, however the host spends it",
    arguments: [
      Receiver.Habit.keepsSilent,
      .trickles("HTTP/1.1 200 OK\r\nX: " + String(repeating: "slow", count: 1_000)),
      .trickles("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "slow", count: 1_000)),
    ])
  func timeOut(habit: Receiver.Habit) throws {
    let receiver = try Receiver(habit)
    let delivered = try #require(
      try makeCourier(totalMilliseconds: 300).deliver(receiver.address()))
    #expect(delivered.outcome == .failed(.timedOut))
    #expect(delivered.milliseconds >= 299)
    #expect(delivered.milliseconds < patienceMilliseconds / 2)
  }

  @Test("a handshake that does not come to its end is over after the time to connect")
  func connectTimeOut() throws {
    let receiver = try Receiver(.keepsSilent)
    let courier = try makeCourier(
      totalMilliseconds: 4 * patienceMilliseconds, connectMilliseconds: 200)
    let delivered = try #require(courier.deliver(receiver.address(scheme: "https")))
    #expect(delivered.outcome == .failed(.timedOut))
    #expect(delivered.milliseconds >= 199)
  }

  @Test("a port where nobody listens accepts no connection")
  func nobodyListens() throws {
    let (descriptor, port) = try Receiver.listen()
    close(descriptor)
    let outcome = try makeCourier().deliver("http://127.0.0.1:\(port)/")?.outcome
    #expect(outcome == .failed(.cannotConnect))
  }

  @Test("a name that cannot be has no address")
  func unknownHost() throws {
    // A label has at most 63 characters (RFC 1035 §2.3.4), so nobody is asked for this one.
    let name = String(repeating: "a", count: 64) + ".invalid"
    let outcome = try makeCourier().deliver("http://\(name)/")?.outcome
    #expect(outcome == .failed(.unknownHost))
  }

  @Test("a descriptor that is readable ends the wait at once, and the letters go on")
  func descriptorWakes() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let silent = try Receiver(.keepsSilent)
    let courier = try makeCourier(totalMilliseconds: 10 * patienceMilliseconds)
    courier.send(letter(1, silent.address()))
    let deadline = Deadline()
    while silent.requests.isEmpty, !deadline.isOver {
      #expect(courier.wait(milliseconds: 1, orReadable: ends[0]).isEmpty)
    }
    let writer = ends[1]
    let thread = TestThread { _ = write(writer, "x", 1) }
    #expect(courier.wait(milliseconds: 10 * patienceMilliseconds, orReadable: ends[0]).isEmpty)
    thread.join()
    #expect(courier.wait(milliseconds: 10 * patienceMilliseconds, orReadable: ends[0]).isEmpty)
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    #expect(courier.wait(milliseconds: 1, orReadable: ends[0]).isEmpty)
    close(ends[1])
    #expect(courier.wait(milliseconds: 10 * patienceMilliseconds, orReadable: ends[0]).isEmpty)
    #expect(!deadline.isOver)
    #expect(courier.inFlight == 1)
  }

  @Test("a descriptor ends the wait of a courier without letters too")
  func descriptorWakesIdle() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let courier = try makeCourier()
    let writer = ends[1]
    let deadline = Deadline()
    let thread = TestThread { _ = write(writer, "x", 1) }
    #expect(courier.wait(milliseconds: 2 * patienceMilliseconds, orReadable: ends[0]).isEmpty)
    thread.join()
    #expect(!deadline.isOver)
  }

  @Test("letters move on although the descriptor stays readable")
  func readableDescriptor() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(write(ends[1], "x", 1) == 1)
    let receiver = try Receiver(.answers(CourierTests.fine))
    let courier = try makeCourier()
    courier.send(letter(1, receiver.address()))
    var delivered: [Delivered] = []
    let deadline = Deadline()
    while delivered.isEmpty, !deadline.isOver {
      delivered = courier.wait(milliseconds: patienceMilliseconds, orReadable: ends[0])
    }
    #expect(delivered.map(\.outcome) == [reply])
  }

  @Test("a wait with nothing to do ends in time, not before")
  func waitEnds() throws {
    let courier = try makeCourier()
    let start = ContinuousClock.now
    #expect(courier.wait(milliseconds: 30, orReadable: -1).isEmpty)
    #expect(ContinuousClock.now - start >= .milliseconds(29))
  }

  @Test("a courier that ends takes its connections with it, with letters in flight and in line")
  func endsInFlight() throws {
    let silent = try Receiver(.keepsSilent)
    var courier: Courier? = try makeCourier(totalMilliseconds: 10 * patienceMilliseconds)
    for id in 0..<10 { courier?.send(letter(id, silent.address())) }
    courier?.send(letter(10, "http://\(String(repeating: "a", count: 60)).invalid/"))
    let deadline = Deadline()
    while silent.requests.count < 4, !deadline.isOver {
      _ = courier?.wait(milliseconds: 1, orReadable: -1)
    }
    #expect(silent.open == 4)
    // This one has not moved yet.
    courier?.send(letter(11, "http://127.0.0.1:1/"))
    courier = nil
    while silent.open > 0, !deadline.isOver { sched_yield() }
    #expect(silent.open == 0)
  }
}
