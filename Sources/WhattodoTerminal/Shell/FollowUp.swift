import Client
import Domain
import Screen
import Sync
import Wire

// Some commands name something that is in no copy, so they need an answer first. The answer becomes the real requests.
extension Planner {
  /// Returns the requests to which this answer leads; nil when the answer is the last.
  func followUp(_ report: Report, _ answer: ReplicaAnswer) throws(Problem) -> [PlannedRequest]? {
    switch (report, answer) {
    case (.closeSession(let number), .sessions(let lines)):
      guard let line = situation.shown.sessions.pick(number, among: lines) else {
        throw Problem("there is no session \(number); /sessions shows them")
      }
      return [change(.account(.closeSession(line.id)), "signed out: \(line.client)", told: true)]
    // The counts are those of `/score`, because two rules would give two numbers.
    case (.members(let place, let span), .members(let members)):
      return [try stats(of: place.stream, span, .who(place, span, members))]
    case (.markRead(let place), .notifications(let result)): return marks(of: place, result)
    case (.revokeCode(let place, let number), .codes(let lines)):
      let lines = ListLines.inOrder(lines)
      guard let line = situation.shown.codes(of: place).pick(number, among: lines) else {
        throw Problem("there is no code \(number); /codes shows them")
      }
      let command = Command.invitation(.revoke(line.invitation.id, place.stream))
      return [change(command, "the code is taken back")]
    case (.unlink(let list, let number), .links(let lines)):
      let lines = LinkLines.inOrder(lines)
      guard let line = situation.shown.links(of: list).pick(number, among: lines) else {
        throw Problem("there is no link \(number); /links shows them")
      }
      let command = Command.link(.revoke(line.link.id, list.id))
      return [change(command, "the link is taken back")]
    case (.botChange(let name, let wish), .bots(let bots)):
      return [try change(name, wish, among: bots)]
    case (.restoreLists(let lists), .categories(let categories)):
      return [try restore(lists: lists, among: categories)]
    case (.binOf(let list), .about(let about)):
      let query = PostsQuery(
        category: list.id, show: .removed, before: nil, limit: Limits.listPageMax)
      let report = Report.bin(list, days: about.removedDays)
      return [PlannedRequest(request: .query(.posts(query)), report: report)]
    case (.restorePosts(let list, let numbers), .posts(let result)):
      return [try restore(numbers, in: list, from: result.posts)]
    case (.purgePosts(let list, let numbers), .posts(let result)):
      return try purge(numbers, in: list, from: result.posts)
    case (.undo(let list), .history(.events(let page))):
      guard let seq = try trail(page, in: list).undo else {
        throw Problem("there is nothing of yours in \(list.tag) to undo")
      }
      return [undo(seq, in: list, isRedo: false, try events(page))]
    case (.undoChange(let change), .history(.events(let page))):
      return [try takeBack(change, page)]
    case (.redo(let list), .history(.events(let page))):
      guard let seq = try trail(page, in: list).redo else {
        throw Problem("there is no undo of yours in \(list.tag) to take back")
      }
      return [undo(seq, in: list, isRedo: true, try events(page))]
    case (.takeBack(let list, let post, let next), .history(.events(let page))):
      return [try takeBack(post, bringing: next, in: list, page)]
    case (.react(let list, let post, let sign), .history(.events(let page))):
      return [try react(with: sign, to: post, in: list, page)]
    case (.olderTalk(let it), .history(.events(let page))): return try olderTalk(it, page)
    case (.export(let path, let lines), .export(let page)):
      return try write(page, to: path, after: lines)
    default: return nil
    }
  }

  /// Returns the events of a page, newest first.
  func events(_ page: HistoryPage) throws(Problem) -> [Event] {
    do throws(WireError) {
      return try page.events().reversed()
    } catch {
      throw Problem("the server's answer cannot be read")
    }
  }

  private func trail(_ page: HistoryPage, in list: Category) throws(Problem) -> UndoTrail {
    UndoTrail(try events(page), stuck: stuckEvents(in: list))
  }

  func stuckEvents(in list: Category) -> Set<Int64> {
    Set(stuck.filter { $0.stream == .category(list.id) }.map(\.seq))
  }

  /// Returns the undo of an event among `events`. A redo takes back an undo, and so does again what that undo took
  /// back.
  func undo(_ seq: Int64, in list: Category, isRedo: Bool, _ events: [Event]) -> PlannedRequest {
    let event = events.first { $0.seq == seq }
    let target =
      isRedo ? event?.undoes.last.flatMap { seq in events.first { $0.seq == seq } } : event
    return undo(seq, in: list, isRedo: isRedo, of: target?.key)
  }

  private func undo(_ seq: Int64, in list: Category, isRedo: Bool, of change: CommandKey?)
    -> PlannedRequest
  {
    let target = UndoTarget(stream: .category(list.id), events: [seq], seen: nil)
    return PlannedRequest(
      request: .command(.undo(target), key: Identifiers.key()),
      report: .undone(
        StreamPosition(stream: target.stream, seq: seq), isRedo: isRedo, of: change))
  }

  private func restore(
    lists: [Reference], among removed: [Category]
  ) throws(Problem) -> PlannedRequest {
    var found: [Category] = []
    for reference in lists {
      let list = try ListLines.removedList(
        reference, among: removed, numbered: situation.shown.removedLists)
      if !found.contains(where: { $0.id == list.id }) { found.append(list) }
    }
    let commands = found.map { Command.category(.restore($0.id)) }
    let tags = found.map(\.tag).joined(separator: " ")
    return change(
      commands.count == 1 ? commands[0] : .batch(commands),
      "\(tags) \(found.count == 1 ? "is" : "are") back", told: true)
  }

  private func restore(
    _ numbers: [Int], in list: Category, from posts: [Post]
  ) throws(Problem) -> PlannedRequest {
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try binned(number, in: list, among: posts)
      changes.append(
        PlannedChange(
          .restorePost(list.id, post.id, ifVersion: nil), "#\(number) \(post.title) is back"))
    }
    return try together(changes)
  }

  /// Purges posts in a request each; nothing takes an erasing back, so it is in no batch.
  private func purge(
    _ numbers: [Int], in list: Category, from posts: [Post]
  ) throws(Problem) -> [PlannedRequest] {
    var requests: [PlannedRequest] = []
    for number in numbers {
      let post = try binned(number, in: list, among: posts)
      requests.append(
        change(
          .erasePost(list.id, post.id), "#\(number) has no text any more",
          same: "#\(number) has none already", told: true))
    }
    return requests
  }

  private func binned(
    _ number: Int, in list: Category, among posts: [Post]
  ) throws(Problem) -> Post {
    guard let post = posts.first(where: { $0.number == number }) else {
      throw Problem("#\(number) is not in the bin of \(list.tag); /bin shows what is")
    }
    return post
  }
}
