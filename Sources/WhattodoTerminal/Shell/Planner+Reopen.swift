// Plans that open completed posts again. A post that comes again and was completed is open already, at its next time;
// there `/reopen` takes back the last completion (protocol §8 `post.take_back`). The log tells which event made it.

import Domain
import Screen
import Sync
import Wire

extension Planner {
  func reopen(_ numbers: [PostNumber], in reference: Reference?) throws(Problem) -> [PlannedRequest]
  {
    let list = try situation.list(reference)
    var changes: [PlannedChange] = []
    var back: [PlannedRequest] = []
    for number in numbers {
      let (post, step) = try situation.post(number, in: list)
      if step == nil, let planned = try takingBack(post, in: list) {
        back.append(planned)
      } else {
        changes.append(reopening(number, post, step, in: list))
      }
    }
    return (changes.isEmpty ? [] : [try together(changes)]) + back
  }

  private func reopening(
    _ number: PostNumber, _ post: Post, _ step: Step?, in list: Category
  ) -> PlannedChange {
    if let step {
      return PlannedChange(
        .changeStep(list.id, post.id, step.id, .reopen), "↺ \(number) \(step.content)",
        same: "\(number) is open already")
    }
    return PlannedChange(
      .reopenPost(list.id, post.id, ifVersion: nil), "↺ #\(post.number) \(post.title)",
      same: "#\(post.number) is open already")
  }

  /// Returns the request that takes the last completion back; nil where something of this time can be reopened, and
  /// where no time before it was completed.
  private func takingBack(_ post: Post, in list: Category) throws(Problem) -> PlannedRequest? {
    guard post.completed == nil, post.submitted == nil, let occurrence = post.occurrence,
      let last = occurrence.last, !situation.hasPart(in: post, of: list)
    else { return nil }
    if last.by != situation.me { try askAbout(last, of: post, in: list) }
    return lookingBack(for: post, bringing: occurrence.number, in: list, before: nil)
  }

  /// Asks before it takes back somebody else's completion. Editors may do that; doers take back only what they
  /// completed themselves.
  private func askAbout(_ last: Stamp, of post: Post, in list: Category) throws(Problem) {
    let name = situation.name(of: last.by, in: .category(list.id))
    let who = "#\(post.number) \(post.title) was done by \(name)"
    if let role = situation.role(in: .category(list.id)), !Permission.allows(role, .post(.edit)) {
      throw Problem("\(who): \(role.withArticle) takes back only what they completed themselves")
    }
    guard !isMeant else { return try refuseOver(post, in: list) }
    throw Problem(
      "\(who) at \(situation.clock.moment(last.at)): take that back?", remedy: .again)
  }

  private func lookingBack(
    for post: Post, bringing next: Int, in list: Category, before: Int64?
  ) -> PlannedRequest {
    let query = HistoryEventsQuery(
      stream: .category(list.id), post: post.id, kinds: [.post(.occurred)], before: before, limit: 5
    )
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .takeBack(list, post, next: next))
  }

  /// Returns the command once its event is found; a page may end before it, then the next one is asked for.
  func takeBack(
    _ post: Post, bringing next: Int, in list: Category, _ page: HistoryPage
  ) throws(Problem) -> PlannedRequest {
    let found = try events(page).first { $0.brings(next, of: post.id) }
    guard let found else {
      guard let before = page.before else {
        throw Problem("the log does not say any more what completed #\(post.number) last")
      }
      return lookingBack(for: post, bringing: next, in: list, before: before)
    }
    return change(
      .post(.change(list.id, post.id, .takeBack(event: found.seq))),
      "↺ #\(post.number) \(post.title): its last time is open again",
      same: "#\(post.number) is open again already")
  }
}

extension Situation {
  /// Whether the person has completed their own part of a post that each person completes.
  fileprivate func hasPart(in post: Post, of list: Category) -> Bool {
    guard post.mode == .each, let me, let member = streams[.category(list.id)]?.member(me) else {
      return false
    }
    return post.parts.contains { $0.user == me && member.holds($0) }
  }
}

extension Event {
  /// Whether it completed the time before this one.
  fileprivate func brings(_ number: Int, of post: PostID) -> Bool {
    ops.contains { op in
      guard case .post(.occurred(post, _, let news, _)) = op, case .completed = news.reason else {
        return false
      }
      return news.next.number == number
    }
  }
}
