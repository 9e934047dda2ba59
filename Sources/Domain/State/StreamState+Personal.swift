// Applies ops about a person's own things to their `u:`.
extension StreamState {
  mutating func apply(
    _ op: PersonalOp, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .edited(let address, let edit): self.edit(address, edit, in: event, into: &changes)
    case .ended(let category, let posts):
      endPersonal(of: posts, in: category, into: &changes)
    case .moved(let post, let from, let to):
      movePersonal(of: post, from: from, to: to, in: event, into: &changes)
    case .settings(let edit): apply(edit, into: &changes)
    case .fired(let it):
      settle(it, into: &changes)
      tell(
        it.kind.notice, about: it.address.stream, post: it.address.post, at: index, of: event,
        into: &changes)
    case .digestReady: tell(.digest, about: stream, at: index, of: event, into: &changes)
    case .webhookPaused(_, let bot):
      tell(.webhookPaused, about: .user(bot), at: index, of: event, into: &changes)
    case .kept(let it):
      put(
        .reminder(KeptReminder(it, told: event.at, seq: event.seq, opIndex: index)), into: &changes)
    case .noticeEnded(let seq, let opIndex):
      deleteRanked(Notice.key(seq: seq, opIndex: opIndex), into: &changes)
    case .keptEnded(let category, let posts):
      for post in posts {
        deleteRanked(PostAddress(category: category, post: post).reminderKey, into: &changes)
      }
    case .assignmentAdded(let place, let post):
      tell(.assigned, about: place, post: post, at: index, of: event, into: &changes)
    case .readMarked(let mark): moveForward(mark, into: &changes)
    case .declinesCounted(let it): count(it, into: &changes)
    }
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

  private mutating func edit(
    _ address: PostAddress, _ edit: PersonalEdit, in event: Event,
    into changes: inout [ObjectChange]
  ) {
    var layer = personal(address) ?? Personal(address)
    layer.apply(edit)
    layer.seq = event.seq
    if layer.isEmpty {
      delete(layer.key, into: &changes)
    } else {
      put(.personal(layer), into: &changes)
    }
  }

  private mutating func endPersonal(
    of posts: [PostID], in category: CategoryID, into changes: inout [ObjectChange]
  ) {
    for post in posts {
      delete(PostAddress(category: category, post: post).personalKey, into: &changes)
    }
  }

  private mutating func apply(_ edit: SettingsEdit, into changes: inout [ObjectChange]) {
    guard case .user(let user) = stream else { return }
    var settings = PersonalSettings(user: user)
    if case .settings(let held) = object(.settings, user.uuid) { settings = held }
    settings.apply(edit)
    put(.settings(settings), into: &changes)
  }

  /// Moves what the person has said of a post to its new list. Anything that they have said of it in that list
  /// meanwhile stays.
  private mutating func movePersonal(
    of post: PostID, from: CategoryID, to: CategoryID, in event: Event,
    into changes: inout [ObjectChange]
  ) {
    guard let old = personal(PostAddress(category: from, post: post)) else { return }
    delete(old.key, into: &changes)
    var moved = old.moved(to: to)
    if let there = personal(moved.address) {
      moved.apply(PersonalEdit(from: Personal(moved.address), to: there))
    } else if objects[moved.key] != nil {
      // The place is taken by what the person said of another post: somebody chose an id to make the two collide. It is
      // not overwritten.
      return
    }
    moved.seq = event.seq
    put(.personal(moved), into: &changes)
  }

  /// Ends reminders for one moment that were told now.
  private mutating func settle(_ told: Reminded, into changes: inout [ObjectChange]) {
    guard var layer = personal(told.address) else { return }
    switch told.kind {
    case .reminder: layer.reminders.removeAll { $0 == .at(told.at) }
    case .snoozed:
      if layer.snooze == told.at { layer.snooze = nil }
      // Reminders that fell into the time of the snooze are told by this one.
      layer.reminders.removeAll { if case .at(let time) = $0 { time <= told.at } else { false } }
    case .planned, .dueSoon, .overdue: break
    }
    if layer.isEmpty {
      delete(layer.key, into: &changes)
    } else if layer != personal(told.address) {
      put(.personal(layer), into: &changes)
    }
  }

  /// Returns what the person has said of this post. Nil also when the place holds what they said of another post.
  private func personal(_ address: PostAddress) -> Personal? {
    guard case .personal(let it) = objects[address.personalKey], it.address == address else {
      return nil
    }
    return it
  }
}

extension ReminderKind {
  var notice: Notice.Kind {
    switch self {
    case .reminder: .reminder
    case .planned: .planned
    case .snoozed: .snoozed
    case .dueSoon: .dueSoon
    case .overdue: .overdue
    }
  }

  package var notification: Notification.Kind {
    switch self {
    case .reminder: .reminder
    case .planned: .planned
    case .snoozed: .snoozed
    case .dueSoon: .dueSoon
    case .overdue: .overdue
    }
  }
}
