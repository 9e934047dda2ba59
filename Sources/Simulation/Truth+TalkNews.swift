// Checks of what a line of talk means, apart from the code under test: how many comments a post has, and what each
// member is told of a line (protocol §5.20).

import Domain
import Wire

extension StreamTruth {
  /// Checks P6: the number of comments on a post is that of the lines about it that were said and not removed.
  func miscounted(_ event: Event, _ tally: inout Tally) -> String? {
    guard horizon == 0 else { return nil }
    for case .line(let op) in event.ops {
      guard let post = op.post else { continue }
      var lines: Set<Int64> = []
      for case .line(let earlier) in events.prefix(Int(event.seq)).flatMap(\.ops) {
        switch earlier {
        case .said(let it) where it.post == post: lines.insert(it.line)
        case .removed(let line, _, _): lines.remove(line)
        case .said, .edited, .reacted: break
        }
      }
      var count = 0
      if case .comments(let it)? = states[Int(event.seq)].objects[Comments.key(of: post)] {
        count = it.count
      }
      tally.count(.p6Comments)
      guard count == lines.count else {
        return "P6 \(post) has \(lines.count) comments at \(event.seq), and \(count) are counted"
      }
    }
    return nil
  }

  /// Returns what an event tells a viewer now: a line that was removed since is told no more.
  func news(of event: Event, to viewer: Viewer) -> [Domain.Notification] {
    notify(event, in: state.stream, viewer: viewer).filter { it in
      guard let line = it.line, it.kind != .reacted else { return true }
      return !events.contains { later in
        later.ops.contains { if case .line(.removed(line, _, _)) = $0 { true } else { false } }
      }
    }
  }

  /// Checks P12: each member is told once of a line that somebody else says, by the first of the rules that holds.
  func mistold(_ event: Event, _ tally: inout Tally) -> String? {
    for case .line(.said(let said)) in event.ops where !said.text.isEmpty {
      for case .member(let member) in states[Int(event.seq)].objects.values {
        guard member.role != nil, member.joinedSeq < event.seq else { continue }
        let viewer = Viewer(user: member.id, joinedSeq: member.joinedSeq)
        let told = notify(event, in: state.stream, viewer: viewer).map(\.kind)
        let expected = event.by == member.id ? [] : [news(of: said, to: member)]
        guard told == expected else {
          return "P12 \(member.username) is told \(told) of \(event.seq), and not \(expected)"
        }
        switch expected.first {
        case .mentioned: tally.count(.p12Mentioned)
        case .answered: tally.count(.p12Answered)
        case .commented: tally.count(.p12Commented)
        default: break
        }
      }
    }
    return nil
  }

  private func news(of said: SaidLine, to member: Member) -> Domain.Notification.Kind {
    if said.text.contains("@\(member.username),") { return .mentioned }
    if let answered = said.answers, events[Int(answered) - 1].by == member.id { return .answered }
    return said.post == nil ? .said : .commented
  }
}
