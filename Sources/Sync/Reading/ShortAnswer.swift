// Answers whose parts are all within their limits and together could still be longer than a message: a
// thousand members with names of 480 bytes are 700 KB, five hundred lists with 200 notifications each 30 MB.
// They are shortened until they go into one; nearly always that is at once.

import Domain
package import Wire

/// Encodes within `Limits.messageBytesMax`.
package enum ShortAnswer {
  /// Fewer notifications of each list, then fewer lists.
  package static func notifications(_ id: RequestID, _ result: NotificationsResult) -> [UInt8] {
    var (result, keep) = (result, result.lists.map(\.notifications.count).max() ?? 0)
    var answer = Answer.notifications(id, result)
    while answer.count > Limits.messageBytesMax, !result.lists.isEmpty {
      if keep > 0 {
        keep /= 2
        result = result.keeping(keep)
      } else {
        result = result.dropping(1 + result.lists.count / 8)
      }
      answer = Answer.notifications(id, result)
    }
    return answer
  }

  /// Fewer people of each list, then fewer lists.
  package static func digest(_ id: RequestID, _ result: DigestResult) -> [UInt8] {
    var (result, keep) = (result, result.lists.map(\.people.count).max() ?? 0)
    var answer = Answer.digest(id, result)
    while answer.count > Limits.messageBytesMax, !result.lists.isEmpty {
      if keep > 0 {
        keep /= 2
        result = result.keeping(keep)
      } else {
        result = result.dropping(1 + result.lists.count / 8)
      }
      answer = Answer.digest(id, result)
    }
    return answer
  }

  /// Shorter names, ended by `…`.
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

extension NotificationsResult {
  /// At most so many of each list; what is unread stays as it was counted.
  fileprivate func keeping(_ count: Int) -> NotificationsResult {
    let shorter = lists.map {
      UnreadList(
        stream: $0.stream, name: $0.name, unread: $0.unread,
        notifications: Array($0.notifications.prefix(count)))
    }
    return NotificationsResult(lists: shorter, directed: directed, today: today, more: more)
  }

  fileprivate func dropping(_ count: Int) -> NotificationsResult {
    NotificationsResult(
      lists: lists.dropLast(count), directed: directed, today: today, more: true)
  }
}

extension DigestResult {
  /// At most so many people of each list; what happened stays as it was counted.
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
  /// Cut between characters, so that nobody's letters fall apart.
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
