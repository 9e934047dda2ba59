import Domain
import Screen
import Sync
import Text
import Wire

/// The lines of `/who`: who is in a list or a group, who looks at it now, and what each has done. The counts are those
/// of `/score` (protocol §8, stats.get), so both say the same, also after an undo and of people who have left.
enum PeopleLines {
  static func lines(
    _ members: [MemberLine], _ done: StatsResult, of place: ListOrGroup, _ span: StatsSpan,
    _ situation: Situation
  ) -> [Line] {
    let here = situation.people(hereIn: place.stream)
    let width = (members.map { Text.columns(of: $0.calledName) }.max() ?? 0) + 2
    let rows = members.sorted {
      ($0.role == nil ? 1 : 0, $0.username) < ($1.role == nil ? 1 : 0, $1.username)
    }
    .map { member in
      var line = Line(
        "\(ListLines.pad(member.calledName, width))", member.role == nil ? .dim : .strong)
      line.add("\(ListLines.pad(member.role?.word ?? "left", 8))", .dim)
      if let score = done.score(of: member) { line = line.and(StatsLines.counts(score)) }
      if member.name != member.username { line.add("  \(member.name)", .dim) }
      if member.isGuest { line.add("  (guest)", .dim) }
      if member.kind == .bot { line.add("  (bot)", .dim) }
      if member.id == situation.me { return line.and("  (you)", .dim) }
      return here.contains(member.id) ? line.and("  here now", .good) : line
    }
    return [StatsLines.title(done, of: place, span)] + rows + StatsLines.left(done)
  }
}

extension StatsResult {
  /// Returns what a member has done. Nil for a bot, which is in no score, and for somebody who may be behind the last
  /// row that the answer has.
  fileprivate func score(of member: MemberLine) -> PersonScore? {
    guard member.kind == .person else { return nil }
    if let row = people.first(where: { $0.score.user == member.id }) { return row.score }
    guard people.count < StatsResult.peopleMax else { return nil }
    return PersonScore(user: member.id, added: added.map { _ in 0 }, completed: 0)
  }
}

extension JSONWriter {
  /// Writes `"from", "to", "members":[{"username","bot"?,"role"?,"added"?,"completed"?}]`. A bot has no counts, and
  /// over a long time nobody has `added`.
  mutating func people(_ members: [MemberLine], _ done: StatsResult) {
    member("from", "\(done.from)")
    member("to", "\(done.to)")
    array("members", members) { member, writer in
      writer.person(member.id, member.username)
      writer.member("name", member.name)
      if member.kind == .bot { writer.member("bot", true) }
      if let role = member.role { writer.member("role", role.word) }
      guard let score = done.score(of: member) else { return }
      if let added = score.added { writer.member("added", added) }
      writer.member("completed", score.completed)
    }
  }
}
