// Checks of P12 from the log alone, for reminders: each is told at most once, not before its moment, by nobody, and
// only to members of the list. At the end a reminder for a time is told, if nothing has come between.

import Calendar
import Domain
import Sync

extension StreamTruth {
  /// Returns a sentence when the newest event tells what it must not.
  func checkReminders(_ event: Event, _ tally: inout Tally) -> String? {
    for case .personal(.fired(let it)) in event.ops {
      tally.count(.p12Reminded)
      guard event.by == nil, it.at <= event.at else {
        return "P12 \(it.address.post) was told before its moment, or by somebody"
      }
      guard state.object(.membership, it.address.category.uuid) != nil else {
        return "P9 told of \(it.address.post), which is in a list of others"
      }
      let earlier = events.dropLast().contains { $0.ops.contains(.personal(.fired(it))) }
      if earlier || event.ops.count(where: { $0 == .personal(.fired(it)) }) > 1 {
        return "P12 \(it.kind.rawValue) of \(it.address.post) was told twice"
      }
    }
    return nil
  }

  /// Returns when the person last said something of the post.
  fileprivate func lastSaid(of address: PostAddress) -> Timestamp? {
    events.last {
      $0.ops.contains { op in
        if case .personal(.edited(address, _)) = op { true } else { false }
      }
    }?.at
  }

  fileprivate func isRemovedSince(_ time: Timestamp) -> Bool {
    events.contains { event in
      event.at >= time
        && event.ops.contains { op in
          switch op {
          case .category(.removed), .category(.archived): true
          default: false
          }
        }
    }
  }
}

extension Truth {
  /// Returns a sentence when a reminder whose time has come is still among what the person has said; when it is told,
  /// it goes.
  func untoldReminders(at now: Timestamp, _ tally: inout Tally) -> String? {
    for stream in order {
      guard let own = streams[stream] else { continue }
      for case .personal(let it) in own.state.objects.values {
        guard let list = streams[it.address.stream],
          case .category(let head)? = list.state.object(.category, it.address.category.uuid),
          case .post(let post)? = list.state.object(.post, it.address.post.uuid),
          head.isActive, post.completed == nil, post.removed == nil, post.moved == nil,
          let said = own.lastSaid(of: it.address), post.updatedAt <= said,
          !list.isRemovedSince(said)
        else { continue }
        tally.count(.p12Awaited)
        for case .at(let time) in it.reminders
        where time > said && time <= now && it.snooze.map({ $0 <= time }) ?? true {
          return "\(stream): P12 a reminder of \(it.address.post) was not told"
        }
      }
    }
    return nil
  }
}
