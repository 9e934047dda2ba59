import Domain
import Testing
import Wire

@testable import Sync

private let epoch = Epoch("s.1")
private let other = Epoch("s.2")
private func tx(_ number: UInt64) -> TransactionID { TransactionID(UUID(high: 7, low: number)) }

@Suite("protocol: how a stream goes on after hello")
struct CatchUpTests {
  struct Row: Sendable {
    let what: String
    var cursor: CursorPosition?
    var head: Int64 = 10
    var joined: Int64 = 1
    var horizon: Int64 = 0
    var transaction: TransactionID? = tx(1)
    let expected: CatchUp
  }

  static func at(_ seq: Int64, _ epoch: Epoch = epoch, _ id: TransactionID? = tx(1))
    -> CursorPosition
  {
    CursorPosition(epoch: epoch, seq: seq, transaction: id)
  }

  @Test(
    "Live, tail or a snapshot with its reason",
    arguments: [
      Row(what: "nothing", cursor: nil, expected: .snapshot(.new)),
      Row(what: "before the first", cursor: at(0, epoch, nil), expected: .snapshot(.new)),
      Row(what: "another epoch", cursor: at(10, other), expected: .snapshot(.epoch)),
      Row(what: "one ahead", cursor: at(11), expected: .snapshot(.ahead)),
      Row(what: "at the head", cursor: at(10), expected: .live),
      Row(what: "one behind", cursor: at(9), expected: .tail),
      Row(what: "another event there", cursor: at(9, epoch, tx(2)), expected: .snapshot(.diverged)),
      Row(what: "another head", cursor: at(10, epoch, tx(2)), expected: .snapshot(.diverged)),
      Row(what: "no transaction told", cursor: at(9, epoch, nil), expected: .tail),
      Row(what: "at the horizon", cursor: at(5), horizon: 5, expected: .snapshot(.horizon)),
      Row(what: "in front of the horizon", cursor: at(6), horizon: 5, expected: .tail),
      Row(what: "behind the horizon", cursor: at(4), horizon: 5, expected: .snapshot(.horizon)),
      Row(what: "as the person came", cursor: at(7), joined: 7, expected: .tail),
      Row(what: "before coming again", cursor: at(6), joined: 7, expected: .snapshot(.rejoined)),
      Row(what: "a long tail", cursor: at(1), head: 5_001, expected: .tail),
      Row(what: "too long a tail", cursor: at(1), head: 5_002, expected: .snapshot(.large)),
      Row(what: "epoch before ahead", cursor: at(99, other), expected: .snapshot(.epoch)),
      Row(
        what: "diverged before rejoined", cursor: at(3, epoch, tx(2)), joined: 7,
        expected: .snapshot(.diverged)),
    ])
  func choose(_ row: Row) {
    let standing = CatchUpStanding(
      epoch: epoch, head: row.head, joinedSeq: row.joined, horizon: row.horizon,
      transactionAtCursor: row.transaction)
    #expect(CatchUp.choose(row.cursor, standing) == row.expected, "\(row.what)")
  }
}
