// Lines about posts that everybody completes for themselves (protocol §3.6, `mode`).

import Client
import Domain
import Screen
import Wire

/// The number of people who have completed their part of a post, and the number of all.
struct PartCount: Equatable {
  let done: Int
  let of: Int
  /// Whether one's own part is completed; nil for people without a part.
  let mine: Bool?

  init(_ post: Post, in state: StreamState, me: UserID?) {
    let assigned = state.assignees(of: post)
    let people = assigned.isEmpty ? state.members.filter(\.sharesInAll) : assigned
    let finished = people.filter { person in
      post.parts.contains { $0.user == person.id && person.holds($0) }
    }
    done = finished.count
    of = people.count
    mine = me.flatMap { me in
      people.contains { $0.id == me } ? finished.contains { $0.id == me } : nil
    }
  }
}

extension PostChips {
  /// Returns `  each 3/5, yours ✔`.
  static func parts(_ post: Post, in list: Category, _ situation: Situation) -> Line {
    guard post.mode == .each, let state = situation.streams[.category(list.id)] else {
      return Line()
    }
    let count = PartCount(post, in: state, me: situation.me)
    let line = Line("  each \(count.done)/\(count.of)", .dim)
    return count.mine == true ? line.and(", yours ✔", .good) : line
  }
}

extension EventLines {
  func part(
    _ title: String, _ mark: PostMark, of user: UserID, _ id: PostID, _ applied: AppliedEvent,
    _ who: Who, in stream: StreamID
  ) -> Line {
    let state = situation.streams[stream]
    // Long after the event, the present count says nothing about it.
    let count = state?.post(id).flatMap { post in
      isHistory ? nil : state.map { PartCount(post, in: $0, me: situation.me) }
    }
    // With the last part the next time comes, and nothing of it is done.
    let isLast = applied.event.ops.contains { op in
      if case .post(.occurred(id, _, _, _)) = op { true } else { false }
    }
    let sum: Phrase = count.map { "\(isLast ? $0.of : $0.done)/\($0.of) in " } ?? "in "
    let whose: Phrase =
      who.name == situation.name(of: user, in: stream)
      ? "own part" : "the part of \(situation.name(of: user, in: stream))"
    let text: Phrase = "\(title): " + whose + " (" + sum + "\(situation.label(stream)))"
    if case .partCompleted = mark { return who.line("✔", .good, text) }
    return who.line("↺", .accent, text)
  }
}

extension JSONWriter {
  /// Writes `"mode"?` and `"doneBy"?`.
  mutating func parts(of post: Post, in stream: StreamID, _ situation: Situation) {
    guard let mode = post.mode else { return }
    member("mode", mode.rawValue)
    let state = situation.streams[stream]
    key("doneBy")
    beginArray()
    for part in post.parts {
      guard let member = state?.member(part.user), member.holds(part) else { continue }
      string(member.username)
    }
    endArray()
  }
}
