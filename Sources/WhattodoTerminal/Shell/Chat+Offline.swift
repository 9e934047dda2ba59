// The chat without a connection. Changes are kept and sent later. A question is answered at once from the copies, and
// the chat says so; or it is refused, because nobody wants an answer that comes much later. `/undo` takes back the
// newest change that no server can have received.

import Calendar
import Client
import Domain
import Screen
import Sync
import Wire

extension Chat {
  func answerOffline(_ planned: PlannedRequest) {
    guard case .query(.view(let query)) = planned.request,
      let answer = situation.viewed(query)
    else {
      return complain("there is no connection: only the server knows that; nothing was asked")
    }
    print(Line("○ from the copies, as they were when the connection broke:", .dim))
    print(AnswerLines.lines(planned.report, .view(answer), situation, chat: true))
  }

  func withdraw(in reference: Reference?) {
    do throws(Problem) {
      client.withdraw(try situation.newestWaiting(client.waiting, in: reference))
    } catch {
      complain(error.sentence)
    }
  }

  func withdrawn(_ queued: QueuedCommand, _ isDone: Bool) {
    let what = UnsentLines.what(queued.command, situation)
    guard isDone else {
      print(
        Line(what + " may have reached the server: /undo again when the connection is back", .bad))
      return
    }
    reports[queued.ticket] = nil
    unproven[queued.ticket] = nil
    self.queued.remove(queued.ticket)
    print(Line("taken back before it was sent: " + what, .dim))
  }
}

extension Situation {
  /// Returns the newest change that waits, in all lists or in one.
  func newestWaiting(
    _ waiting: [QueuedCommand], in reference: Reference?
  ) throws(Problem) -> QueuedCommand {
    guard let reference else {
      if let newest = waiting.last { return newest }
      throw Problem(
        "there is no connection, and nothing of yours waits to be sent; "
          + "what the server has is undone when it is back")
    }
    let list = try catalog.anyList(reference)
    guard let me, let newest = waiting.last(where: { $0.command.isAbout(list.id, of: me) }) else {
      throw Problem("there is no connection, and nothing of yours in \(list.tag) waits to be sent")
    }
    return newest
  }

  /// Answers a view from the copies; nil where they do not hold what it asks for, because they do not hold all
  /// completed and removed posts.
  func viewed(_ query: ViewQuery) -> ViewResult? {
    guard query.criteria.state == .open, let me else { return nil }
    let wanted = query.categories.map { Set($0) }
    let lists = catalog.lists.filter { wanted?.contains($0.id) ?? true }
    let assignee = query.criteria.assignee?.id(me: me)
    let seen = lists.map { list in
      let member = assignee.flatMap { streams[.category(list.id)]?.member($0) }
      return ViewedList(
        category: list.id, zone: list.zone, assignedFrom: member?.joinedSeq ?? 0)
    }
    let view = PostView(
      query, in: seen.sorted { $0.category < $1.category }, for: me,
      zone: query.zone ?? clock.zone, limit: .max, .system)
    var found: [(place: ViewPlace, line: ViewLine)] = []
    for list in view.lists {
      for post in streams[.category(list.category)]?.openPosts ?? []
      where post.removed == nil && view.shows(post, in: list) {
        found.append(
          (view.place(of: post, in: list), ViewLine(category: list.category, post: post)))
      }
    }
    return ViewResult(
      found: found.sorted { $0.place < $1.place }.map(\.line), after: nil, omitted: 0)
  }
}

extension Command {
  fileprivate func isAbout(_ list: CategoryID, of user: UserID) -> Bool {
    switch self {
    case .batch(let commands): commands.contains { $0.isAbout(list, of: user) }
    case .changePersonal(let address, _): address.category == list
    default: home(of: user) == .category(list)
    }
  }
}
