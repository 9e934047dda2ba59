// The reminders of a person (`KeptReminder`) as notification.list shows them: all that they have not read and that
// still hold. A post that is completed, gone or snoozed again has none. So a reminder is shown as long as it is true,
// however many other notifications the person got meanwhile.

import Domain

extension Reader {
  /// Returns the reminders, the newest first. Looks at one post for each, at most `Limits.remindersInStateMax`. Call it
  /// within a read transaction.
  func reminders(
    of user: UserID, after mark: Int64, at now: Timestamp
  ) throws(StoreError) -> [Notification] {
    var lists: [CategoryID: Member?] = [:]
    var found: [Notification] = []
    for body in try store.objects(.reminder, in: .user(user)) {
      guard case .reminder(let it) = try object(body), it.seq > mark else { continue }
      let list = it.told.address.category
      let member: Member?
      if let known = lists[list] {
        member = known
      } else {
        member = try activeMember(user, of: list)
        lists[list] = .some(member)
      }
      guard let member, try isToBeDone(it.told.address, by: member, at: now) else { continue }
      found.append(
        Notification(
          kind: it.told.kind.notification, stream: .user(user), seq: it.seq, opIndex: it.opIndex,
          at: it.toldAt, by: nil, about: .category(list), post: it.told.address.post))
    }
    return found.sorted { ($0.seq, $0.opIndex) > ($1.seq, $1.opIndex) }
  }

  /// Returns the member; nil for a person who is no member any more, and in a list that is removed or archived.
  private func activeMember(
    _ user: UserID, of list: CategoryID
  ) throws(StoreError) -> Member? {
    let stream = StreamID.category(list)
    guard let head = try store.object(stream.headKey, in: stream),
      case .category(let category) = try object(head), category.isActive,
      let body = try store.object(ObjectKey(kind: .member, id: user.uuid), in: stream),
      case .member(let member) = try object(body), member.role != nil
    else { return nil }
    return member
  }

  private func isToBeDone(
    _ address: PostAddress, by member: Member, at now: Timestamp
  ) throws(StoreError) -> Bool {
    let key = ObjectKey(kind: .post, id: address.post.uuid)
    guard let body = try store.object(key, in: address.stream),
      case .post(let post) = try object(body), post.isOpen(for: member)
    else { return false }
    guard let said = try store.object(address.personalKey, in: .user(member.id)),
      case .personal(let personal) = try object(said), personal.address == address,
      let quiet = personal.snooze
    else { return true }
    return quiet <= now
  }
}
