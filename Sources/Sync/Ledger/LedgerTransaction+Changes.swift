package import Domain
import Wire

extension ObjectRecord {
  /// Makes the row that an object's change leaves.
  package init(_ stream: StreamID, _ key: ObjectKey, _ effect: ObjectChange.Effect) {
    let change: Change =
      switch effect {
      case .put(let object): Change(object, inState: true)
      case .putOutside(let object): Change(object, inState: false)
      case .dropped: .leftState
      case .deleted: .deleted
      }
    self.init(stream: stream, key: key, change: change)
  }
}

extension ObjectRecord.Change {
  fileprivate init(_ object: Object, inState: Bool) {
    self = .put(ObjectRow(object, inState: inState))
  }
}

extension ObjectRow {
  package init(_ object: Object, inState: Bool) {
    let body = ObjectCodec.encode(object)
    switch object {
    case .post(let post):
      self.init(
        body: body, number: post.isGone ? nil : post.number, rank: object.rank?.seq,
        inState: inState, traits: PostTraits(of: post))
    case .notice(let notice):
      self.init(body: body, number: notice.opIndex, rank: notice.seq, inState: inState)
    case .reminder(let it):
      self.init(body: body, number: it.opIndex, rank: it.seq, inState: inState)
    case .line(let line):
      self.init(body: body, number: line.text.utf8.count, rank: line.event, inState: inState)
    case .comments(let it):
      self.init(body: body, number: 0, rank: it.seq, inState: inState)
    case .category, .group, .groupCategory, .profile, .member, .invitation, .invitationCode,
      .membership, .readMark, .declines, .block, .tag, .filter, .personal, .settings, .link,
      .reactions:
      self.init(body: body, number: nil, rank: nil, inState: inState)
    }
  }
}

extension PostTraits {
  fileprivate init(of post: Post) {
    self = []
    if post.claim != nil { insert(.claim) }
    if post.position != nil { insert(.position) }
    if post.source != nil { insert(.source) }
    if post.run != nil { insert(.run) }
  }
}

extension AccessChange {
  /// Returns who may read the stream after an event that changed these objects. For a person who came and went within
  /// the event, or went and came, only the end counts: nobody could see anything in between.
  static func all(of changes: [ObjectChange], in stream: StreamID) -> [AccessChange] {
    let members = changes.count { $0.key.kind == .member }
    guard members > 1 else { return changes.compactMap { AccessChange(of: $0, in: stream) } }
    var places: [ObjectKey: Int] = [:]
    var whole: [ObjectChange] = []
    for change in changes where change.key.kind.row.tellsAccess {
      if let place = places[change.key] {
        whole[place] = ObjectChange(
          key: change.key, before: whole[place].before, effect: change.effect)
      } else {
        places[change.key] = whole.count
        whole.append(change)
      }
    }
    return whole.compactMap { AccessChange(of: $0, in: stream) }
  }

  /// Makes the change of access that an object's change means, or nil when it means none.
  private init?(of change: ObjectChange, in stream: StreamID) {
    switch change.after {
    case .member(let member):
      let before: Member? = if case .member(let it) = change.before { it } else { nil }
      guard before?.role != member.role || before?.joinedSeq != member.joinedSeq else {
        return nil
      }
      guard let role = member.role else {
        guard before?.role != nil else { return nil }
        self = .revoked(stream, member.id)
        return
      }
      self = .granted(stream, member.id, role, joinedSeq: member.joinedSeq)
    case .profile(let profile):
      guard change.before == nil else { return nil }
      self = .granted(stream, profile.id, .owner, joinedSeq: 1)
    case .category, .group, .groupCategory, .post, .invitation, .invitationCode, .membership,
      .readMark, .notice, .declines, .block, .tag, .filter, .personal, .settings, .reminder,
      .reactions, .line, .comments:
      return nil
    case .link(let link):
      guard change.before == nil else { return nil }
      self = .granted(stream, link.guest, .viewer, joinedSeq: link.seq)
    case nil:
      guard case .link(let link) = change.before else { return nil }
      self = .revoked(stream, link.guest)
    }
  }
}
