// Checks of P12 for reminders that people asked for. A reminder is kept from the event that told it, until it ends with
// the membership or 200 newer ones are there. A person who asks what is new is told all reminders that they have not
// read and have still to do.

import Domain
import Sync
import Wire

extension StreamTruth {
  /// Returns a sentence when the newest event tells a reminder that was asked for and does not keep it, or keeps one
  /// that was not told.
  func checkKept(_ event: Event, _ tally: inout Tally) -> String? {
    for case .personal(.kept(let it)) in event.ops where !event.ops.contains(.personal(.fired(it)))
    {
      return "P12 a \(it.kind.rawValue) of \(it.address.post) is kept that was not told"
    }
    for (index, op) in event.ops.enumerated() {
      guard case .personal(.fired(let it)) = op, wasAsked(it) else { continue }
      tally.count(.p12Kept)
      let next = event.ops.indices.contains(index + 1) ? event.ops[index + 1] : nil
      guard next == .personal(.kept(it)),
        case .reminder(let kept)? = state.objects[it.address.reminderKey], kept.seq == event.seq
      else { return "P12 \(it.kind.rawValue) of \(it.address.post) was told and is not kept" }
    }
    return nil
  }

  /// Answers whether the person had asked for it before the newest event, whatever the post's due is.
  private func wasAsked(_ told: Reminded) -> Bool {
    switch told.kind {
    case .planned, .snoozed: return true
    case .dueSoon, .overdue: return false
    case .reminder:
      guard case .personal(let said)? = states[events.count - 1].objects[told.address.personalKey]
      else { return false }
      return said.address == told.address && said.reminders.contains(.at(told.at))
    }
  }

  /// The reminders that must be kept, by the log alone: the newest of each post, for as many of the newest posts as are
  /// kept.
  fileprivate var keptReminders: [Reminded] {
    var all: [Reminded] = []
    for op in events.flatMap(\.ops) {
      switch op {
      case .personal(.kept(let it)):
        all.removeAll { $0.address == it.address }
        all.append(it)
        if all.count > Limits.remindersInStateMax { all.removeFirst() }
      case .personal(.keptEnded(let list, let posts)):
        all.removeAll { $0.address.category == list && posts.contains($0.address.post) }
      default: break
      }
    }
    return all
  }
}

extension Truth {
  /// Returns a sentence when a kept reminder is gone although nothing ended it.
  func lostReminders(_ tally: inout Tally) -> String? {
    for stream in order {
      guard let own = streams[stream], !own.isDropped, own.horizon == 0 else { continue }
      for it in own.keptReminders {
        tally.count(.p12Kept)
        guard case .reminder(let held)? = own.state.objects[it.address.reminderKey],
          held.told == it
        else { return "\(stream): P12 what was told of \(it.address.post) is not kept any more" }
      }
    }
    return nil
  }
}

extension Simulation {
  /// Checks P9 and P12, at the moment of reading.
  func checkNotifications(_ user: UserID, _ answer: [UInt8]) {
    guard
      let result = read(answer, to: "what is new", NotificationsResult.init(decoding:)),
      let own = truth.streams[.user(user)]
    else { return }
    checkNews(result, of: user)
    let told = Set(result.reminders.map { PostAddress.Told($0) })
    for it in result.reminders where truth.streams[it.about]?.isMember(user) != true {
      return fail("P9 somebody who is no member is reminded of a post of \(it.about)")
    }
    var mark: Int64 = 0
    if case .readMark(let it)? = own.state.object(.readMark, user.uuid) { mark = it.seq }
    for case .reminder(let it) in own.state.objects.values where it.seq > mark {
      guard isToBeDone(it.told.address, by: user) else { continue }
      count(.p12Shown)
      guard told.contains(PostAddress.Told(it)) else {
        return fail("P12 \(user) is not shown what they asked for of \(it.told.address.post)")
      }
    }
  }

  /// Answers whether the post is still to be done, as far as that depends on no clock.
  private func isToBeDone(_ address: PostAddress, by user: UserID) -> Bool {
    guard let list = truth.streams[address.stream],
      case .member(let member)? = list.state.object(.member, user.uuid), member.role != nil,
      case .category(let head)? = list.state.object(.category, address.category.uuid),
      case .post(let post)? = list.state.object(.post, address.post.uuid),
      head.isActive, post.isOpen(for: member)
    else { return false }
    let said = truth.streams[.user(user)]?.state.objects[address.personalKey]
    if case .personal(let it)? = said, it.snooze != nil { return false }
    return true
  }
}

extension PostAddress {
  fileprivate struct Told: Hashable {
    let list: StreamID
    let post: PostID?
    let seq: Int64

    init(_ it: Domain.Notification) { (list, post, seq) = (it.about, it.post, it.seq) }

    init(_ it: KeptReminder) {
      (list, post, seq) = (it.told.address.stream, it.told.address.post, it.seq)
    }
  }
}
