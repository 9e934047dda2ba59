extension StreamState {
  /// Applies one op. This is the whole meaning of every kind of op (protocol §7). An op about an object that is not
  /// there changes nothing but counters.
  mutating func apply(
    _ op: Op, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .categoryAdded(let category): put(.category(category), into: &changes)
    case .categoryEdited(let edit): changeCategory(into: &changes) { $0 = $0.edited(by: edit) }
    case .categoryRemoved(let stamp): changeCategory(into: &changes) { $0.removed = stamp }
    case .categoryRestored: changeCategory(into: &changes) { $0.removed = nil }
    case .categoryArchived, .categoryUnarchived: applyToArchive(op, into: &changes)
    case .postAdded, .postReopened, .postRestored, .postEdited, .postCompleted, .postRemoved,
      .postErased, .postPurged, .postMarked, .postOccurred, .postOverdue, .postMovedOut,
      .postMovedIn, .postImported:
      applyToPost(op, of: event, into: &changes)
    case .step(let id, let version, let op):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(op) }
    case .postMoved(let id, let version, let position):
      changePost(id, to: version, at: event.at, into: &changes) { $0.position = position }
    case .tag(let op): apply(op, into: &changes)
    case .claim(let id, let op): apply(op, to: id, of: event, into: &changes)
    case .groupAdded(let group): put(.group(group), into: &changes)
    case .groupEdited(let name): changeGroup(into: &changes) { $0.name = name }
    case .groupRemoved(let stamp, let ids): changeGroup(into: &changes) { $0.set(stamp, ids) }
    case .groupRestored: changeGroup(into: &changes) { $0.set(nil, []) }
    case .groupCategoryAdded(let id): put(.groupCategory(GroupCategory(id: id)), into: &changes)
    case .memberAdded(let member): put(.member(member), into: &changes)
    case .memberUpdated(let id, let name): changeMember(id, into: &changes) { $0.name = name }
    case .memberGranted(let id, let grants): changeMember(id, into: &changes) { $0.grants = grants }
    case .memberRemoved(let id, _): changeMember(id, into: &changes) { $0.grants = Grants() }
    case .invitationSent(let invitation):
      put(.invitation(invitation), into: &changes)
      tellInvited(invitation, at: index, of: event, into: &changes)
    case .invitationAccepted(let id), .invitationDeclined(let id), .invitationRevoked(let id),
      .invitationExpired(let id):
      delete(ObjectKey(kind: .invitation, id: id.uuid), into: &changes)
    case .codeMade(let code): put(.invitationCode(code), into: &changes)
    case .codeUsed(let id, let used): changeCode(id, into: &changes) { $0.used = used }
    case .codeEnded(let id): delete(ObjectKey(kind: .invitationCode, id: id.uuid), into: &changes)
    case .link(let op): apply(op, into: &changes)
    case .accountRegistered, .profileEdited, .upgraded, .accountEnding, .accountKept,
      .personForgotten:
      applyToAccount(op, into: &changes)
    case .membershipAdded(let membership): put(.membership(membership), into: &changes)
    case .membershipGranted(let it): regrant(it, into: &changes)
    case .membershipMoved(let stream, let place): move(stream, to: place, into: &changes)
    case .roleChanged(let it): changeRole(to: it, at: index, of: event, into: &changes)
    case .membershipRemoved(let left, let reason):
      forget(left, into: &changes)
      tellRemoved(from: left, reason, at: index, of: event, into: &changes)
    case .assignmentAdded(let place, let post):
      tell(.assigned, about: place, post: post, at: index, of: event, into: &changes)
    case .readMarked(let mark): moveForward(mark, into: &changes)
    case .declinesCounted(let it): count(it, into: &changes)
    case .personBlocked(let block): put(.block(block), into: &changes)
    case .personUnblocked(let id): delete(ObjectKey(kind: .block, id: id.uuid), into: &changes)
    case .filterSaved(let filter): put(.filter(filter), into: &changes)
    case .filterRemoved(let id): delete(ObjectKey(kind: .filter, id: id.uuid), into: &changes)
    case .personal(let op): apply(op, at: index, of: event, into: &changes)
    case .invitationHeldBack, .unknown: break
    }
  }

  private mutating func apply(_ op: LinkOp, into changes: inout [ObjectChange]) {
    switch op {
    case .made(let link): put(.link(link), into: &changes)
    case .ended(let id): delete(ObjectKey(kind: .link, id: id.uuid), into: &changes)
    }
  }

  // MARK: Accounts

  private mutating func applyToAccount(_ op: Op, into changes: inout [ObjectChange]) {
    switch op {
    case .accountRegistered(let profile): put(.profile(profile), into: &changes)
    case .profileEdited(let edit): changeProfile(into: &changes) { $0.set(edit) }
    case .upgraded(let id, let name, let shown): upgrade(id, to: name, shown, into: &changes)
    case .accountEnding(let end): changeProfile(into: &changes) { $0.endsAt = end }
    case .accountKept: changeProfile(into: &changes) { $0.endsAt = nil }
    case .personForgotten(let id): forget(id, into: &changes)
    default: preconditionFailure("an op about an account")
    }
  }

  // MARK: Posts

  private mutating func applyToPost(
    _ op: Op, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .postAdded(let post, let counters), .postMovedIn(let post, let counters):
      put(.post(post), into: &changes)
      changeCategory(into: &changes) {
        $0.lastPost = max($0.lastPost, post.number)
        $0.counters = counters
      }
    case .postReopened(let post, let counters), .postRestored(let post, let counters):
      put(.post(post), into: &changes)
      changeCategory(into: &changes) { $0.counters = counters }
    case .postEdited(let id, let version, let edit):
      changePost(id, to: version, at: event.at, into: &changes) { $0 = $0.edited(by: edit) }
    case .postCompleted(let id, let version, let stamp, let counters):
      complete(id, to: version, stamp, by: event, into: &changes)
      changeCategory(into: &changes) { $0.counters = counters }
    case .postRemoved(let id, let version, let stamp, let counters):
      remove(id, to: version, stamp, at: event.at, into: &changes)
      changeCategory(into: &changes) { $0.counters = counters }
    case .postMovedOut(let id, let version, let stamp, let counters):
      if case .post(let post) = object(.post, id.uuid) {
        putOutside(.post(post.left(stamp, by: event, version: version)), into: &changes)
      }
      changeCategory(into: &changes) { $0.counters = counters }
    case .postErased(let id, let version, let stamp):
      changePost(id, to: version, at: event.at, into: &changes) {
        $0 = $0.withoutText
        $0.erased = stamp
      }
    case .postPurged(let id, let source):
      if case .post(let post) = object(.post, id.uuid), post.removed != nil {
        putOutside(.post(post.purged(at: event.at, source)), into: &changes)
      }
    case .postImported(let id, let version, let edit, let source):
      changePost(id, to: version, at: event.at, into: &changes) {
        $0 = $0.edited(by: edit)
        $0.source = source ?? $0.source
      }
    case .postMarked(let id, let version, let mark):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(mark, of: event) }
    case .postOccurred(let id, let version, let news, let counters):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(news) }
      changeCategory(into: &changes) { $0.counters = counters }
    case .postOverdue(let id, let mark, let counters):
      if case .post(var post) = object(.post, id.uuid) {
        post.overdue = mark.overdue
        replace(post, into: &changes)
      }
      changeCategory(into: &changes) { $0.counters = counters }
    default: preconditionFailure("an op about posts")
    }
  }

  private mutating func changePost(
    _ id: PostID, to version: Int, at time: Timestamp, into changes: inout [ObjectChange],
    _ change: (inout Post) -> Void
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    change(&post)
    post.version = version
    post.updatedAt = time
    replace(post, into: &changes)
  }

  private mutating func complete(
    _ id: PostID, to version: Int, _ stamp: Stamp, by event: Event,
    into changes: inout [ObjectChange]
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    post.completed = Completion(at: stamp.at, by: stamp.by, seq: event.seq)
    post.claim = nil
    post.submitted = nil
    post.version = version
    post.updatedAt = event.at
    put(.post(post), into: &changes)
  }

  private mutating func remove(
    _ id: PostID, to version: Int, _ stamp: Stamp, at time: Timestamp,
    into changes: inout [ObjectChange]
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    post.removed = stamp
    post.claim = nil
    post.version = version
    post.updatedAt = time
    putOutside(.post(post), into: &changes)
  }

  // MARK: c: and g:

  mutating func changeCategory(
    into changes: inout [ObjectChange], _ change: (inout Category) -> Void
  ) {
    guard case .category(var category) = object(.category, stream.uuid) else { return }
    change(&category)
    put(.category(category), into: &changes)
  }

  private mutating func apply(_ op: TagOp, into changes: inout [ObjectChange]) {
    switch op {
    case .added(let tag), .restored(let tag): put(.tag(tag), into: &changes)
    case .edited(let id, let edit):
      guard case .tag(let tag) = object(.tag, id.uuid) else { return }
      put(.tag(tag.edited(by: edit)), into: &changes)
    case .removed(let id): delete(ObjectKey(kind: .tag, id: id.uuid), into: &changes)
    }
  }

  private mutating func changeGroup(
    into changes: inout [ObjectChange], _ change: (inout Group) -> Void
  ) {
    guard case .group(var group) = object(.group, stream.uuid) else { return }
    change(&group)
    put(.group(group), into: &changes)
  }

  private mutating func changeMember(
    _ id: UserID, into changes: inout [ObjectChange], _ change: (inout Member) -> Void
  ) {
    guard case .member(var member) = object(.member, id.uuid) else { return }
    change(&member)
    put(.member(member), into: &changes)
  }

  private mutating func changeCode(
    _ id: InvitationID, into changes: inout [ObjectChange],
    _ change: (inout InvitationCode) -> Void
  ) {
    guard case .invitationCode(var code) = object(.invitationCode, id.uuid) else { return }
    change(&code)
    put(.invitationCode(code), into: &changes)
  }

  // MARK: u:

  /// Changes the names of a guest: in `u:` in the profile, elsewhere in the member.
  private mutating func upgrade(
    _ id: UserID, to username: String, _ name: String, into changes: inout [ObjectChange]
  ) {
    changeProfile(into: &changes) {
      ($0.username, $0.name, $0.isGuest) = (username, name, false)
    }
    changeMember(id, into: &changes) {
      ($0.username, $0.name, $0.isGuest) = (username, name, false)
    }
  }

  private mutating func changeProfile(
    into changes: inout [ObjectChange], _ change: (inout Profile) -> Void
  ) {
    guard case .profile(var profile) = object(.profile, stream.uuid) else { return }
    change(&profile)
    put(.profile(profile), into: &changes)
  }

  private mutating func moveForward(_ mark: ReadMark, into changes: inout [ObjectChange]) {
    if case .readMark(let held) = object(.readMark, mark.stream.uuid), held.seq >= mark.seq {
      return
    }
    put(.readMark(mark), into: &changes)
  }

  private mutating func count(_ declines: Declines, into changes: inout [ObjectChange]) {
    let object = Object.declines(declines)
    if declines.times > 0 {
      put(object, into: &changes)
    } else {
      delete(object.key, into: &changes)
    }
  }

  private mutating func tellInvited(
    _ invitation: Invitation, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    guard stream == .user(invitation.user) else { return }
    tell(.invited, about: invitation.stream, at: index, of: event, into: &changes)
  }

  /// Tells a person that they were removed. When they were taken out of a group, the group speaks for its categories.
  private mutating func tellRemoved(
    from left: StreamID, _ reason: LeaveReason, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    guard reason == .removed, event.tellsRemoval(from: left) else { return }
    tell(.removed, about: left, at: index, of: event, into: &changes)
  }

  private mutating func changeRole(
    to membership: Membership, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    regrant(membership, into: &changes)
    tell(.roleChanged, about: membership.stream, at: index, of: event, into: &changes)
  }

  mutating func tell(
    _ kind: Notice.Kind, about place: StreamID, post: PostID? = nil, at index: Int,
    of event: Event, into changes: inout [ObjectChange]
  ) {
    let notice = Notice(
      kind: kind, seq: event.seq, opIndex: index, at: event.at, by: event.by, stream: place,
      post: post)
    put(.notice(notice), into: &changes)
  }
}

extension Event {
  /// Answers whether the end of this membership is told by itself. It is not when the same event ends the membership of
  /// a group, whose categories go with it.
  func tellsRemoval(from left: StreamID) -> Bool {
    guard case .category = left else { return true }
    return !ops.contains { op in
      guard case .membershipRemoved(.group, _) = op else { return false }
      return true
    }
  }
}

extension Group {
  fileprivate mutating func set(_ stamp: Stamp?, _ categories: [CategoryID]) {
    removed = stamp
    removedCategories = categories
  }
}

extension Profile {
  fileprivate mutating func set(_ edit: ProfileEdit) {
    name = edit.name ?? name
    location = edit.location ?? location
    zone = edit.zone ?? zone
    invitedBy = edit.invitedBy ?? invitedBy
    locale = edit.locale ?? locale
  }
}
