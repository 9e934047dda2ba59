// Statistics of what people have completed (protocol §8, stats.get), compared with the log as far as a look at each
// event tells.

import Calendar
import Domain
import Sync
import Wire

extension Workload {
  func stats(_ device: Device) -> Query? {
    let world = device.world
    let own = StreamID.user(device.person.id)
    let places = device.streams.filter { !$0.isUser } + (world.random.happens(500) ? [own] : [])
    guard let stream = world.random.pick(places),
      let zone = world.random.pick(["UTC", "Etc/GMT-1"]),
      let today = Almanac.system.day(world.moment.wall, zone)
    else { return nil }
    let to = today.adding(days: -world.random.below(2))
    return .stats(
      StatsQuery(stream, from: to.adding(days: -world.random.below(8)), to: to, zone: zone))
  }
}

extension Simulation {
  /// Checks P9, that nothing is counted that did not happen, and that the table adds up.
  func checkStats(_ user: UserID, _ query: StatsQuery, _ answer: [UInt8]) {
    guard truth.streams[query.stream]?.isMember(user) == true else {
      return fail("P9 somebody who is no member is told what was done in \(query.stream)")
    }
    guard let result = read(answer, to: "statistics", StatsResult.init(decoding:)),
      let start = Almanac.system.startOfDay(query.from, result.zone),
      let end = Almanac.system.startOfDay(query.to.adding(days: 1), result.zone)
    else { return }
    count(.p10Stats)
    var most = StatsBound()
    for stream in truth.order {
      guard let list = truth.streams[stream], list.isOf(query.stream, stream), list.isMember(user)
      else { continue }
      for event in list.events where event.at >= start && event.at < end { most.add(event) }
    }
    if result.added ?? 0 > most.added || result.completed > most.completed {
      fail("P10 more was done in \(query.stream) than there was: \(query)")
    }
    let ofDays = result.days.reduce(0) { $0 + $1.completed }
    let ofPeople = result.people.reduce(0) { $0 + $1.score.completed }
    let completed = result.completed
    if ofDays != completed || ofPeople > completed {
      fail("P10 \(completed) were done in \(query.stream), \(ofDays) by day, \(ofPeople) by person")
    }
  }
}

/// The most that can be counted.
private struct StatsBound {
  var added = 0
  var completed = 0

  mutating func add(_ event: Event) {
    for op in event.ops {
      switch op {
      case .post(.added): added += 1
      case .post(.completed), .post(.occurred), .post(.marked(_, _, .partCompleted)): completed += 1
      // An undo may bring its completions back.
      case .post(.reopened(let post, _)), .post(.restored(let post, _)):
        completed += post.parts.count + (post.completed == nil ? 0 : 1)
      default: break
      }
    }
  }
}

extension StreamTruth {
  /// Answers whether it is this list, a list of this group, or any list where a person asks for themselves.
  fileprivate func isOf(_ asked: StreamID, _ own: StreamID) -> Bool {
    if asked.isUser { return own.category != nil }
    guard case .group(let group) = asked else { return own == asked }
    return state.objects.values.contains { object in
      if case .category(let list) = object { list.group == group } else { false }
    }
  }
}
