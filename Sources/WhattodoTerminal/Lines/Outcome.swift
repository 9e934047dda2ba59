// What a change has ended beside what was asked for: the last step that is finished completes its post, the last part
// too, and of a post that comes again the next time is there at once. Only the event of the change knows that: others
// may have finished, added or opened steps since the command was made. So it is read from there, and told in the words
// of the command that did it.

import Client
import Domain
import Screen
import Sync
import Wire

/// What became of a post by one event.
enum PostEnd: Equatable {
  /// This time of it is over, done or left out.
  case again(NextOccurrence)
  /// It is completed.
  case done
}

/// Of one request.
struct Outcome {
  private let commands: [Command]
  /// By the place of the command that did it, among those of the request.
  private(set) var ends: [Int: PostEnd] = [:]

  /// `news`: what came until the request was answered, with its events.
  init(of request: Request, by user: UserID?, in news: [ClientNews]) {
    guard case .command(let command, let key, base: _) = request else {
      commands = []
      return
    }
    commands = command.each
    for case .happened(let stream, let happenings, caughtUp: _) in news {
      guard case .category(let list) = stream else { continue }
      for happening in happenings where happening.event.key == key && happening.event.by == user {
        take(happening.event.ops, in: list)
      }
    }
  }

  /// Of a command that waits: what it ends on top of the copies.
  init(of command: Command, from before: Situation, to after: Situation) {
    commands = command.each
    for (index, command) in commands.enumerated() {
      guard let address = command.post, isLast(index, of: address),
        let over = before.streams[address.stream]?.post(address.post), over.completed == nil,
        let now = after.streams[address.stream]?.post(address.post)
      else { continue }
      if let number = over.occurrence?.number, let next = now.occurrence, next.number != number {
        ends[index] = .again(
          NextOccurrence(number, next.last.map { .completed($0) } ?? .skipped(now.changed), next))
      } else if now.completed != nil {
        ends[index] = .done
      }
    }
  }

  private mutating func take(_ ops: [Op], in list: CategoryID) {
    for op in ops {
      let (post, end): (PostID, PostEnd)
      switch op {
      case .postOccurred(let id, _, let news, _): (post, end) = (id, .again(news))
      case .postCompleted(let id, _, _, _): (post, end) = (id, .done)
      default: continue
      }
      let address = PostAddress(category: list, post: post)
      guard let index = commands.lastIndex(where: { $0.post == address }) else { continue }
      ends[index] = end
    }
  }

  private func isLast(_ index: Int, of address: PostAddress) -> Bool {
    commands.lastIndex { $0.post == address } == index
  }

  // MARK: Telling

  /// The report with what was ended in its words.
  func told(in report: Report, _ situation: Situation) -> Report {
    guard !ends.isEmpty else { return report }
    switch report {
    case .change(let made, let same): return .change(made: made + words(0, situation), same: same)
    case .changes(let tellings):
      return .changes(
        tellings.enumerated().map { index, telling in
          Telling(made: telling.made + words(index, situation), same: telling.same)
        })
    default: return report
    }
  }

  /// ` (again Fri)`, or with the post where a step was named.
  private func words(_ index: Int, _ situation: Situation) -> Phrase {
    guard let end = ends[index], let what = end.words(situation.clock) else { return "" }
    let command = commands[index]
    if command.isOfStep, let post = command.seen(in: situation) {
      return " (#\(post.number) \(post.title): " + what + ")"
    }
    if end == .done, !command.isOfPart(in: situation) { return "" }
    return " (" + what + ")"
  }

  /// What shows nowhere else as long as there is no connection: `#1 milk: again Fri`.
  func lines(_ situation: Situation) -> [Line] {
    ends.sorted { $0.key < $1.key }.compactMap { index, end in
      guard let post = commands[index].seen(in: situation), let what = end.words(situation.clock),
        case .again = end
      else { return nil }
      return Line("#\(post.number) \(post.title): ", .dim).and(what, .dim)
    }
  }
}

extension PostEnd {
  /// Nil for a time that was left out: whoever did that has said so.
  fileprivate func words(_ clock: Clock) -> Phrase? {
    switch self {
    case .done: "all of it is done"
    case .again(let news):
      if case .completed = news.reason { "again \(clock.words(news.next.due))" } else { nil }
    }
  }
}

extension Command {
  /// Of a batch its commands, else itself.
  fileprivate var each: [Command] {
    if case .batch(let commands) = self { commands } else { [self] }
  }

  fileprivate var isOfStep: Bool {
    switch self {
    case .changePost(_, .step, _), .changePost(_, .occurrence(_, .finish), _): true
    default: false
    }
  }

  fileprivate func seen(in situation: Situation) -> Post? {
    post.flatMap { situation.streams[$0.stream]?.post($0.post) }
  }

  /// Whether it completes one of several parts.
  fileprivate func isOfPart(in situation: Situation) -> Bool {
    switch self {
    case .changePost(_, .complete, _), .changePost(_, .occurrence(_, .complete), _):
      seen(in: situation)?.mode == .each
    default: false
    }
  }
}

extension Post {
  /// Who changed it last is in no copy: for what says nobody.
  fileprivate var changed: Stamp { Stamp(at: updatedAt, by: addedBy) }
}
