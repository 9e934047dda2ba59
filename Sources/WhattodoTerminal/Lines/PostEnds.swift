// Finds what a change has ended besides what was asked for. The last finished step completes its post, and so does the
// last part; and for a post that comes again the next time is there at once. Only the event of the change knows that,
// because others may have finished, added or opened steps since the command was made. So the outcome is read from the
// event, and shown in the words of the command that caused it.

import Client
import Domain
import Screen
import Sync
import Wire

/// The end that one event made for a post.
enum PostEnd: Equatable {
  /// This time is over, done or left out, and the next one is there.
  case again(NextOccurrence)
  /// The post is completed.
  case done
}

/// The outcome of one request.
struct PostEnds {
  private let commands: [Command]
  /// The ends, by the place of the command in the request that caused them.
  private(set) var ends: [Int: PostEnd] = [:]

  /// Reads the outcome from the events among `news`, which came until the request was answered.
  init(of request: Request, by user: UserID?, in news: [ClientNews]) {
    guard case .command(let command, let key, base: _) = request else {
      commands = []
      return
    }
    commands = command.each
    for case .happened(let stream, let appliedEvents, caughtUp: _) in news {
      guard case .category(let list) = stream else { continue }
      for applied in appliedEvents where applied.event.key == key && applied.event.by == user {
        take(applied.event.ops, in: list)
      }
    }
  }

  /// Computes the outcome of a command that waits from what it ends on top of the copies.
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
      case .post(.occurred(let id, _, let news, _)): (post, end) = (id, .again(news))
      case .post(.completed(let id, _, _, _)): (post, end) = (id, .done)
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

  /// Returns the report with the ends added to its words.
  func told(in report: Report, _ situation: Situation) -> Report {
    guard !ends.isEmpty else { return report }
    switch report {
    case .change(let made, let same): return .change(made: made + words(0, situation), same: same)
    case .changes(let reports):
      return .changes(
        reports.enumerated().map { index, report in
          ChangeReport(made: report.made + words(index, situation), same: report.same)
        })
    default: return report
    }
  }

  /// Returns ` (again Fri)`, with the post in front when a step was named.
  private func words(_ index: Int, _ situation: Situation) -> Phrase {
    guard let end = ends[index], let what = end.words(situation.clock) else { return "" }
    let command = commands[index]
    if command.isOfStep, let post = command.seen(in: situation) {
      return " (#\(post.number) \(post.title): " + what + ")"
    }
    if end == .done, !command.isOfPart(in: situation) { return "" }
    return " (" + what + ")"
  }

  /// Returns the lines for ends that nothing else shows without a connection: `#1 milk: again Fri`.
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
  /// Returns words for the end; nil for a time that was left out, because the person said that.
  fileprivate func words(_ clock: Clock) -> Phrase? {
    switch self {
    case .done: "all of it is done"
    case .again(let news):
      if case .completed = news.reason { "again \(clock.words(news.next.due))" } else { nil }
    }
  }
}

extension Command {
  /// The commands of a batch, or the command alone.
  fileprivate var each: [Command] {
    if case .batch(let commands) = self { commands } else { [self] }
  }

  fileprivate var isOfStep: Bool {
    switch self {
    case .post(.change(_, .step, _)), .post(.change(_, .occurrence(_, .finish), _)): true
    default: false
    }
  }

  fileprivate func seen(in situation: Situation) -> Post? {
    post.flatMap { situation.streams[$0.stream]?.post($0.post) }
  }

  /// Whether it completes one of several parts.
  fileprivate func isOfPart(in situation: Situation) -> Bool {
    switch self {
    case .post(.change(_, .complete, _)), .post(.change(_, .occurrence(_, .complete), _)):
      seen(in: situation)?.mode == .each
    default: false
    }
  }
}

extension Post {
  /// A stamp of the last change. No copy says who made it, so it names the adder; use it only where the person is not
  /// shown.
  fileprivate var changed: Stamp { Stamp(at: updatedAt, by: addedBy) }
}
