// Says what is left of a person whose account has ended (protocol §5.9): ids, roles, what they did and when. Their name
// and username are gone wherever an event or an object had them. They are empty there, and clients say "former member".

/// A part of a stream that an event takes out of everything written before it.
package enum ErasedSubject: Hashable, Sendable {
  /// The text of a post.
  case post(PostID)
  /// The names of a person.
  case person(UserID)
  /// The text of the line of talk with this number.
  case line(Int64)
  /// All of a stream. Only the fact stays that it was there.
  case everything
}

extension Member {
  package var withoutName: Member {
    var member = self
    (member.username, member.name) = ("", "")
    return member
  }
}

extension Invitation {
  func withoutName(of person: UserID) -> Invitation {
    Invitation(
      id: id, stream: stream, streamName: streamName, user: user,
      username: user == person ? "" : username, role: role, sent: sent,
      senderUsername: sent.by == person ? "" : senderUsername)
  }
}

extension Object {
  /// Returns the same object without the person's name.
  package func withoutName(of person: UserID) -> Object {
    switch self {
    case .member(let it): it.id == person ? .member(it.withoutName) : self
    case .invitation(let it): .invitation(it.withoutName(of: person))
    case .block(let it):
      it.user == person ? .block(Block(user: person, username: "", at: it.at)) : self
    // Profiles are in a person's own stream, of which nothing stays.
    case .category, .group, .groupCategory, .profile, .post, .invitationCode, .membership,
      .readMark, .declines, .notice, .tag, .filter, .personal, .settings, .reminder, .link,
      .reactions, .line, .comments:
      self
    }
  }

  /// Returns the same object without the text of this post.
  func withoutText(of id: PostID) -> Object {
    switch self {
    case .post(let post): post.id == id ? .post(post.withoutText) : self
    case .category, .group, .groupCategory, .profile, .member, .invitation, .invitationCode,
      .membership, .readMark, .declines, .block, .notice, .tag, .filter, .personal, .settings,
      .reminder, .link, .reactions, .line, .comments:
      self
    }
  }

  /// Returns the same object without the text of this line of talk.
  private func withoutText(ofLine number: Int64) -> Object {
    guard case .line(var line) = self, line.event == number else { return self }
    (line.text, line.mentions) = ("", [])
    return .line(line)
  }

  /// Returns the same object without what is erased.
  package func without(_ subject: ErasedSubject) -> Object {
    switch subject {
    case .post(let id): withoutText(of: id)
    case .person(let id): withoutName(of: id)
    case .line(let number): withoutText(ofLine: number)
    case .everything: self
    }
  }
}

extension [Op] {
  /// The subjects that these ops erase, each once.
  package var erasedSubjects: [ErasedSubject] {
    var erased: [ErasedSubject] = []
    for op in self { if let it = op.family?.erased, !erased.contains(it) { erased.append(it) } }
    return erased
  }
}

extension StreamState {
  /// Takes the person's names out of the member in a place that they were in, and the block out of the stream of
  /// somebody who has blocked them.
  mutating func forget(_ person: UserID, into changes: inout [ObjectChange]) {
    if case .member(let member) = object(.member, person.uuid) {
      put(.member(member.withoutName), into: &changes)
    }
    delete(ObjectKey(kind: .block, id: person.uuid), into: &changes)
  }
}
