// Plans for what is new since one last looked: to be told of it, and to mark it as read. How far one has read moves
// forward only (protocol §8, notification.read), so no undo takes a mark back.

import Client
import Domain
import Screen
import Sync
import Wire

extension Planner {
  /// The number of notifications of each list that are asked for.
  static let newsMax = 30

  func news(of reference: Reference?) throws(Problem) -> PlannedRequest {
    PlannedRequest(
      request: .query(.notifications(limit: Planner.newsMax)),
      report: .notifications(try named(reference)))
  }

  /// Asks what is new first, because only that is marked.
  func markRead(_ reference: Reference?) throws(Problem) -> PlannedRequest {
    PlannedRequest(
      request: .query(.notifications(limit: 1)), report: .markRead(try named(reference)))
  }

  /// Returns the marks for what is new, everywhere or in one place; nil when nothing is.
  func marks(of place: ListOrGroup?, _ result: NotificationsResult) -> [PlannedRequest]? {
    let unread = Dictionary(result.lists.map { ($0.stream, $0.unread) }) { first, _ in first }
    let streams = place.map { [$0.stream] } ?? situation.streams.keys.sorted()
    let commands = streams.compactMap { stream -> Command? in
      guard let head = situation.heads[stream] else { return nil }
      let isNew = unread[stream].map { !$0.isEmpty } ?? (result.more && mayBeNew(stream, head))
      return isNew ? .markRead(stream, seq: head) : nil
    }
    var batches = stride(from: 0, to: commands.count, by: Limits.batchCommandsMax).map {
      Array(commands[$0..<min($0 + Limits.batchCommandsMax, commands.count)])
    }
    // It is apart from the lists, because a server that is older than kept reminders refuses it.
    if place == nil, let own = ownMark(result) { batches.append([own]) }
    guard !batches.isEmpty else { return nil }
    let told = Unread(streams.compactMap { unread[$0] })
    let words: Phrase = "\(place?.label ?? "all") is read"
    let made = told.isEmpty ? words : words + ": \(ListLines.count(told)) new"
    return batches.enumerated().map { index, some in
      let command = some.count == 1 ? some[0] : .batch(some)
      guard index > 0 else { return change(command, made, same: "nothing new", told: true) }
      return PlannedRequest(
        request: .command(command, key: Identifiers.key()), report: .mark)
    }
  }

  private func named(_ reference: Reference?) throws(Problem) -> ListOrGroup? {
    try reference.map { (it) throws(Problem) in try situation.catalog.place(it) }
  }

  /// Whether a list or group that the answer left out may have something new.
  private func mayBeNew(_ stream: StreamID, _ head: Int64) -> Bool {
    if case .user = stream { return false }
    guard situation.streams[stream]?.category?.archived == nil else { return false }
    return head > (situation.ownStream?.readMark(of: stream) ?? 0)
  }

  /// Returns the mark for what was directed at the person; nil when they have read all of it.
  private func ownMark(_ result: NotificationsResult) -> Command? {
    guard let me = situation.me,
      let last = (result.reminders + result.directed).map(\.seq).max(), last > situation.ownMark
    else { return nil }
    return .markRead(.user(me), seq: last)
  }
}

extension Unread {
  /// Adds the counts of several places.
  fileprivate init(_ places: [Unread]) {
    self.init(count: places.reduce(0) { $0 + $1.count }, more: places.contains { $0.more })
  }
}
