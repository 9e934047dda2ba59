// Counts how often each fault was made and each checker had something to check. A run in which nothing happened proves
// nothing, so the program asks for a hundred of each over its fixed seeds.

import Sync

/// The faults that are made (research: protocol §15; each comes from a real failure of somebody's server).
package enum Fault: String, CaseIterable, Sendable {
  /// A message takes a hundred times as long.
  case delay
  /// A connection ends with bytes of both directions on their way; both ends notice.
  case cut
  /// The server's bytes are lost while it goes on writing for long.
  case deafClient = "half-open: client is gone, server does not notice"
  case deafServer = "half-open: server hears nothing, client does not notice"
  case lostResult = "answer to a command lost"
  case stalledReader = "client takes no bytes"
  case crashIdle = "crash"
  case crashBeforeCommit = "crash before commit"
  case crashInCommit = "crash inside commit"
  case crashAfterCommit = "crash between commit and answer"
  case commitRefused = "commit fails, nothing written"
  case commitUnknownWritten = "COMMIT fails, a crash brings it back"
  case commitUnknownLost = "COMMIT fails, nothing comes back"
  case loadFails = "store fails the ledger's reading"
  case readFails = "store fails a reader"
  case slowReader = "reader answers late"
  case slowLedger = "ledger tells late"
  case dearWork = "work of the ledger takes long"
  case receiverFails = "receiver of a webhook fails"
  case slowHash = "hash takes long"
  case clockForward = "wall clock jumps forward"
  case clockBack = "wall clock jumps back"
  case restored = "an earlier copy is put back"
  case forgotten = "old events are forgotten"
  case drain = "server drains and restarts"
  case clientCrash = "client restarts without memory"
  case queueKilled = "client with a queue is killed"
  case queuePowerLoss = "client with a queue loses power"
  case recordTorn = "client ends inside a record"
  case cursorAhead = "cursor ahead of the log"
  case cursorDiverged = "cursor of another event"
  case cursorEpoch = "cursor of another epoch"
  case cursorOld = "cursor far back"
  case cursorUnknown = "cursor of a stream that nobody has"
  case cursorLeft = "cursor of a stream that one was put out of"
  case cursorNegative = "cursor below zero"
  case cursorThousands = "a thousand cursors"
  case twin = "two devices send one key"
  case keyReused = "key used for another command"
  case signedOut = "session closed elsewhere"
}

/// The happenings that a checker needs before it can find anything.
package enum Premise: String, CaseIterable, Sendable {
  case p1Acknowledged = "P1 acknowledged, then a crash"
  case p1Queued = "P1 queued and unsettled, then the client ended"
  case p2Repeated = "P2 answer to a key that took effect"
  case p2Paired = "P2 a code let a device in"
  case p2Upgraded = "P2 a guest took a name"
  case p2Recovered = "P2 a recovery code set a password"
  case p2CodeRefused = "P2 a recovery code that is spent, refused"
  case p2Renewed = "P2 a new password, asked for again"
  case p2Forgotten = "P2 key that may be forgotten, sent again"
  case p3Refused = "P3 refused for good"
  case p3Unknown = "P3 unknown outcome told"
  case p4Event = "P4 event committed"
  case p4Delivered = "P4 delivered by a webhook"
  case p4Again = "P4 delivered again after a crash"
  case p12WebhookPaused = "P12 told that a webhook is paused"
  case p4Shared = "P4 several streams in one transaction"
  case p5Event = "P5 event applied by a client"
  case p5Tail = "P5 tail announced"
  case p5Live = "P5 told to be live"
  case p5Horizon = "P5 state told, the tail is forgotten"
  case p5Gone = "P5 told that a claimed stream is gone"
  case p6Snapshot = "P6 snapshot compared"
  case p6Pages = "P6 snapshot of several pages"
  case p6Whole = "P6 whole objects compared with ops"
  case p6LineErased = "P6 line of talk erased"
  case p6Stored = "P6 stored state compared"
  case p6Horizon = "P6 stored state compared, old events are forgotten"
  case p6Past = "P6 history told"
  case p6Erased = "P6 text erased"
  case p6Forgotten = "P6 name of an ended account erased"
  case p7Answer = "P7 answer in order"
  case p7Commit = "P7 commands of one connection committed"
  case p7Refused = "P7 command refused before it is decided"
  case p7Query = "P7 query after a command"
  case p8Parts = "P8 event of several ops applied"
  case p9Removed = "P9 member removed"
  case p9Behind = "P9 removed while something was on its way to them"
  case p8Undone = "P8 undo, nothing else changed since"
  case p8Moved = "P8 post moved to another list"
  case p9Changed = "P9 other sessions ended by a new password"
  case p9SignedOut = "P9 signed out by a new password elsewhere"
  case p9OldPassword = "P9 an old password refused"
  case p9NewPassword = "P9 let in by a new password"
  case p9Moment = "P9 told who is here, typing, at work"
  case p9Rejoined = "P9 came in again"
  case p9Looked = "P9 answered who looks by a link"
  case p9LookRefused = "P9 refused to who looks by a link"
  case p9LookEnded = "P9 who looks by a link was shown its end"
  case p9LinkRevoked = "P9 a link was taken back"
  case p9LinkOfMaker = "P9 a link ended with its maker's right to it"
  case p9LinkOver = "P9 a link's time was over"
  case p9LinkOfRemoved = "P9 a link of a list that is removed"
  case p9ShutOut = "P9 kept out a bot that its owner had ended"
  case p9TokenEnded = "P9 a token was good for nothing any more"
  case p9Talk = "P9 talk kept from who looks by a link"
  case p9EarlierTalk = "P9 earlier talk kept from a later member"
  case p9LinkUnknown = "P9 looked by what is no link"
  case p10Looked = "P10 copies of who looks by a link compared"
  case p9Over = "P9 account ended, looked for everywhere"
  case p10Compared = "P10 copies compared"
  case p10Stores = "P10 two stores compared"
  case p10LocalState = "P10 local state compared with its replica"
  case p10Moment = "P10 what holds for a moment, equal at the end"
  case p10Notes = "P10 notes changed as they were seen"
  case p10Conflict = "P10 notes refused because others changed them"
  case p10Found = "P10 posts found by their words"
  case p10Viewed = "P10 posts of a view"
  case p10Digest = "P10 lists of a digest"
  case p10Stats = "P10 tables of who completed how much"
  case p10Due = "P10 days on which something is due"
  case p10Level = "P10 everybody level at the end"
  case p12Once = "P12 occurrence over"
  case p12Meant = "P12 occurrence over by who saw it"
  case p12Confirmed = "P12 occurrence over by an admin"
  case p11Stalled = "P11 connection stalled"
  case p11Others = "P11 others served while one is stalled"
  case p12Told = "P12 became overdue"
  case p12Paused = "P12 clock not trusted"
  case p12Level = "P12 overdue at the end"
  case p12Claimed = "P12 post claimed"
  case p12Ended = "P12 claim ended by itself"
  case p12RunEnded = "P12 run ended by who started it"
  case p12Lost = "P12 run lost after its lease"
  case p12Corrected = "P12 run was held to be lost"
  case p12Purged = "P12 gone from the bin for good"
  case p12Reminded = "P12 somebody reminded"
  case p12Kept = "P12 what was asked for is kept"
  case p12Shown = "P12 what was asked for is shown"
  case p12News = "P12 news told, each from its event"
  case p12Mentioned = "P12 somebody named in a line, told once"
  case p12Answered = "P12 somebody answered in a line, told once"
  case p12Commented = "P12 a comment, told once to each"
  case p6Comments = "P6 comments on a post counted"
  case p6Contest = "P6 amounts, claims and finishes of a contest compared with the log"
  case p12Place = "P12 place of a finisher kept"
  case p12RaceGoal = "P12 goal of a race reached, and finished by that"
  case p12CoopGoal = "P12 goal of a coop reached, and completed by that"
  case p12StepClaimed = "P12 step of a coop claimed"
  case p12NoneLost = "P12 newest news of a list, none missing"
  case p12Muted = "P12 news of a list counted, and left out as its person wishes"
  case p12Digest = "P12 a digest once a day"
  case p12Awaited = "P12 to be told, or told already, at the end"
  case p2Imported = "P2 added by an import"
  case p10Imported = "P10 edited by an import"
  case p10Ordered = "P10 list moved among one's own"
  case p10Left = "P10 left by an import as somebody has set it"

  /// Whether many things have to come together for it: a wish, its moment, and a question before it is read. A tenth of
  /// the count that others need is enough.
  var isSeldom: Bool {
    [
      .p12Kept, .p12Shown, .p12Corrected, .p12Lost, .p12Muted, .p9ShutOut, .p4Again,
      .p12WebhookPaused, .p12Answered, .p12Place, .p12RaceGoal, .p12CoopGoal,
      .p12StepClaimed,
    ].contains(self)
  }
}

package struct Tally: Sendable {
  private var faults = Array(repeating: 0, count: Fault.allCases.count)
  private var premises = Array(repeating: 0, count: Premise.allCases.count)

  /// The commands and works that the ledger took.
  package internal(set) var accepted = Accepted()

  package init() {}

  package mutating func count(_ fault: Fault) { faults[Tally.index(fault)] += 1 }
  package mutating func count(_ premise: Premise, _ times: Int = 1) {
    premises[Tally.index(premise)] += times
  }

  mutating func count(accepted work: LedgerWork) { accepted.count(work) }

  package mutating func add(_ other: Tally) {
    for index in faults.indices { faults[index] += other.faults[index] }
    for index in premises.indices { premises[index] += other.premises[index] }
    accepted.add(other.accepted)
  }

  package var lines: [(name: String, count: Int, isSeldom: Bool)] {
    Fault.allCases.map { ($0.rawValue, faults[Tally.index($0)], false) }
      + Premise.allCases.map { ($0.rawValue, premises[Tally.index($0)], $0.isSeldom) }
  }

  private static let faultIndex = Dictionary(
    uniqueKeysWithValues: Fault.allCases.enumerated().map { ($1, $0) })
  private static let premiseIndex = Dictionary(
    uniqueKeysWithValues: Premise.allCases.enumerated().map { ($1, $0) })
  private static func index(_ fault: Fault) -> Int { faultIndex[fault] ?? 0 }
  private static func index(_ premise: Premise) -> Int { premiseIndex[premise] ?? 0 }
}
