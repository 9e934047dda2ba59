// The line of letters, without a clock and without libcurl: whose turn it is, and whose time is over.

import Testing

@testable import Courier

@Suite("The line of letters")
struct WaitingLineTests {
  private func parcel(_ id: UInt64, to host: String = "a.example", sentAt: Int = 0) throws -> Parcel
  {
    let letter = Letter(id: id, address: "http://\(host)/", headers: [], body: [])
    return try Parcel(letter, CourierOptions(totalMilliseconds: 100), sentAt: sentAt)
  }

  /// Lets letters enter one after the other. Returns those that may move.
  private func enter(_ parcels: [Parcel], _ line: inout WaitingLine) -> [UInt64] {
    parcels.filter { line.enter($0) }.map(\.id)
  }

  @Test("four letters to a host move, and the others wait; another host has four of its own")
  func turns() throws {
    var line = WaitingLine()
    #expect(enter(try (1...6).map { try parcel($0) }, &line) == [1, 2, 3, 4])
    #expect(enter([try parcel(7, to: "b.example")], &line) == [7])
    #expect(line.count == 2)
  }

  @Test("letters that end let as many to the same host move, in their order")
  func leave() throws {
    var line = WaitingLine()
    let parcels = try (1...7).map { try parcel($0) }
    let other = try parcel(8, to: "b.example")
    #expect(enter(parcels + [other], &line) == [1, 2, 3, 4, 8])
    let afterOther = line.leave([other]).map(\.id)
    #expect(afterOther.isEmpty)
    let afterTwo = line.leave(Array(parcels[0...1])).map(\.id)
    #expect(afterTwo == [5, 6])
    let afterFour = line.leave(Array(parcels[2...3])).map(\.id)
    #expect(afterFour == [7])
    #expect(line.count == 0)
  }

  @Test("letters that waited for all their time are taken out, and no others")
  func overdue() throws {
    var line = WaitingLine()
    let waiting = [try parcel(5), try parcel(6), try parcel(7, sentAt: 1)]
    #expect(enter(try (1...4).map { try parcel($0) } + waiting, &line) == [1, 2, 3, 4])
    #expect(line.deadline == 100)
    let early = line.takeOverdue(at: 99).map(\.id)
    #expect(early.isEmpty)
    let inTime = line.takeOverdue(at: 100).map(\.id)
    #expect(inTime == [5, 6])
    #expect(line.deadline == 101)
    let last = line.takeOverdue(at: 101).map(\.id)
    #expect(last == [7])
    #expect(line.deadline == nil)
  }
}
