// Answers whose parts are all within their limits but together could be longer than a message. A thousand members with
// names of 480 bytes are 700 KB; five hundred lists with 200 notifications each are 30 MB. They are shortened until
// they fit into one; nearly always they fit at once.

import Domain
package import Wire

/// Encodes answers within `Limits.messageBytesMax`.
package enum ShortAnswer {
  package static func notifications(_ id: RequestID, _ result: NotificationsResult) -> [UInt8] {
    shortened(result) { Answer.notifications(id, $0) }
  }

  package static func digest(_ id: RequestID, _ result: DigestResult) -> [UInt8] {
    shortened(result) { Answer.digest(id, $0) }
  }

  /// Drops parts of each list, then lists, until the answer fits.
  private static func shortened<Told: ToldByList>(
    _ told: Told, as answer: (Told) -> [UInt8]
  ) -> [UInt8] {
    var (told, keep, bytes) = (told, told.longest, answer(told))
    while bytes.count > Limits.messageBytesMax, told.listCount > 0 {
      if keep > 0 {
        keep /= 2
        told = told.keeping(keep)
      } else {
        told = told.dropping(1 + told.listCount / 8)
      }
      bytes = answer(told)
    }
    return bytes
  }

  /// Encodes members, with shorter names ended by `…` where that is needed.
  package static func members(_ id: RequestID, _ lines: [MemberLine]) -> [UInt8] {
    var (lines, bytes) = (lines, Limits.nameScalarsMax * 4)
    var answer = Answer.members(id, lines)
    while answer.count > Limits.messageBytesMax, bytes > 8 {
      bytes /= 2
      lines = lines.map { $0.withName(upTo: bytes) }
      answer = Answer.members(id, lines)
    }
    return answer
  }
}

/// A result that has, for each of a person's lists, a list of any number of parts.
private protocol ToldByList {
  var listCount: Int { get }
  /// The greatest number of parts that a list has.
  var longest: Int { get }
  /// Returns it with at most `count` parts of each list; the counts stay.
  func keeping(_ count: Int) -> Self
  /// Returns it without `count` of the lists, the last ones.
  func dropping(_ count: Int) -> Self
}

extension NotificationsResult: ToldByList {
  fileprivate var listCount: Int { lists.count }
  fileprivate var longest: Int { lists.map(\.notifications.count).max() ?? 0 }

  fileprivate func keeping(_ count: Int) -> NotificationsResult {
    let shorter = lists.map {
      UnreadList(
        stream: $0.stream, name: $0.name, unread: $0.unread,
        notifications: Array($0.notifications.prefix(count)))
    }
    return NotificationsResult(
      lists: shorter, directed: directed, reminders: reminders, today: today, more: more)
  }

  fileprivate func dropping(_ count: Int) -> NotificationsResult {
    NotificationsResult(
      lists: lists.dropLast(count), directed: directed, reminders: reminders, today: today,
      more: true)
  }
}

extension DigestResult: ToldByList {
  fileprivate var listCount: Int { lists.count }
  fileprivate var longest: Int { lists.map(\.people.count).max() ?? 0 }

  fileprivate func keeping(_ count: Int) -> DigestResult {
    let shorter = lists.map {
      DigestList(
        stream: $0.stream, name: $0.name, total: $0.total, mine: $0.mine,
        people: Array($0.people.prefix(count)), more: $0.more)
    }
    return DigestResult(day: day, zone: zone, lists: shorter, today: today, more: more)
  }

  fileprivate func dropping(_ count: Int) -> DigestResult {
    DigestResult(
      day: day, zone: zone, lists: lists.dropLast(count), today: today, more: true)
  }
}

extension MemberLine {
  /// Returns the member with a shorter name, cut between characters so that no letter falls apart.
  fileprivate func withName(upTo bytes: Int) -> MemberLine {
    guard name.utf8.count > bytes else { return self }
    var cut = ""
    for character in name {
      guard cut.utf8.count + character.utf8.count + 3 <= bytes else { break }
      cut.append(character)
    }
    return MemberLine(
      id: id, username: username, name: cut + "…", kind: kind, role: role, added: added,
      completed: completed, joinedSeq: joinedSeq, isGuest: isGuest)
  }
}
