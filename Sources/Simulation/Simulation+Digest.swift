// Digests of a day (protocol §8, digest.get), compared with the log; and a check that nobody is told twice of one.

import Calendar
import Domain
import Sync
import Wire

extension Workload {
  func digest(_ device: Device) -> Query? {
    let world = device.world
    let zone = world.random.pick(["UTC", "Etc/GMT-1"])
    guard let zone, let today = Almanac.system.day(world.moment.wall, zone) else { return nil }
    return .digest(
      DigestQuery(day: today.adding(days: -world.random.below(2)), zone: zone))
  }

  /// Returns a time for the digest whose moment comes while somebody looks, by the clock of some zone that people are
  /// in.
  static func digestTime(soonAfter now: Timestamp, _ random: inout SimRandom) -> ClockTime? {
    let minutes = Int(now.milliseconds / 60_000) + 1
    return ClockTime(minute: (minutes + (random.happens(150) ? 60 : 0)) % 1_440)
  }
}

extension Simulation {
  /// Checks P9, and that nothing is told that did not happen. The answer may lack what was forgotten.
  func checkDigest(_ user: UserID, _ query: DigestQuery, _ answer: [UInt8]) {
    guard let result = read(answer, to: "a digest", DigestResult.init(decoding:)) else { return }
    let almanac = Almanac.system
    guard let start = almanac.startOfDay(query.day, result.zone),
      let end = almanac.startOfDay(query.day.adding(days: 1), result.zone)
    else { return fail("a digest is of no day in \(result.zone)") }
    for list in result.lists {
      guard let known = truth.streams[list.stream], known.isMember(user) else {
        return fail("P9 somebody who is no member is told what happened in \(list.stream)")
      }
      var tally = DigestTally()
      for event in known.events where event.at >= start && event.at < end {
        tally.add(event, in: list.stream)
      }
      count(.p10Digest)
      let isMore = zip(list.total.all, tally.total.all).contains { $0 > $1 }
      if isMore { fail("P10 more happened in \(list.stream) than there was: \(query)") }
    }
  }
}

extension DigestCounts {
  fileprivate var all: [Int] { [added, completed, reopened, removed] }
}

extension StreamTruth {
  /// Checks P12: a digest of each day is told once, not before its moment, by nobody, and only to people who want it.
  /// Before the event is applied the settings are those by which it was decided; the event changes none.
  func checkDigests(_ event: Event, _ tally: inout Tally) -> String? {
    for case .personal(.digestReady(let day)) in event.ops {
      tally.count(.p12Digest)
      guard let times = digestTimes, event.by == nil, event.key == nil else {
        return "P12 a digest of \(day) was told that nobody wanted, or by somebody"
      }
      guard times.moment(about: day) <= event.at else {
        return "P12 the digest of \(day) was told before its moment"
      }
      let same = events.flatMap(\.ops).count { $0 == .personal(.digestReady(day)) }
      if same != 1 { return "P12 a digest of \(day) was told \(same) times" }
    }
    return nil
  }

  /// The times at which this person is told of their days; nil when they want no digest.
  var digestTimes: DigestTimes? {
    var (time, zone): (ClockTime?, String) = (nil, "UTC")
    for object in state.objects.values {
      switch object {
      case .settings(let it): time = it.digest
      case .profile(let it): zone = it.zone
      default: break
      }
    }
    return time.map { DigestTimes(time: $0, zone: zone, almanac: .system) }
  }
}

extension StreamTruth {
  /// The moment at which the times of the digest became what they are.
  fileprivate var digestSince: Timestamp {
    let last = events.last { event in
      event.ops.contains { op in
        switch op {
        case .account(.registered): true
        case .account(.edited(let edit)): edit.zone != nil
        case .personal(.settings(let edit)): edit.digest != .keep
        default: false
        }
      }
    }
    return last?.at ?? Timestamp(milliseconds: .max)
  }
}

extension Truth {
  /// Returns a sentence when somebody will be told of their day too late, or not at all. `rows` are all that wait.
  func lateDigests(_ rows: [ReminderRow], at now: Timestamp, _ tally: inout Tally) -> String? {
    for stream in order where streams[stream]?.isDropped == false {
      guard case .user(let person) = stream,
        let next = streams[stream]?.digestTimes?.next(after: now)
      else { continue }
      tally.count(.p12Awaited)
      let row = rows.first { $0.key == .digest(of: person) }
      guard let row, row.at <= next else {
        return "\(stream): P12 a digest is to be told at \(next.milliseconds), and there is"
          + " \(row.map { "\($0.at.milliseconds)" } ?? "no row")"
      }
    }
    return nil
  }

  /// Returns a sentence when the last moment has come at which somebody wanted to be told of a day, and they never
  /// were.
  func untoldDigests(at now: Timestamp, _ tally: inout Tally) -> String? {
    for stream in order {
      guard let own = streams[stream], !own.isDropped, let times = own.digestTimes else { continue }
      let due = times.latest(through: now)
      // A person who sets a time when its moment has come is told from the next moment on.
      guard own.digestSince < due.at, hasNews(for: stream, times.start(of: due.day), due.at) else {
        continue
      }
      tally.count(.p12Awaited)
      // By a clock that was ahead they were told of a later day.
      let isTold = own.events.contains { event in
        event.ops.contains { op in
          if case .personal(.digestReady(let day)) = op { day >= due.day } else { false }
        }
      }
      if !isTold { return "\(stream): P12 the digest of \(due.day) was never told" }
    }
    return nil
  }

  /// Answers whether something was written in that time in a list that the person was in then, and is in now.
  private func hasNews(for own: StreamID, _ start: Timestamp, _ end: Timestamp) -> Bool {
    guard case .user(let person) = own else { return false }
    return order.contains { stream in
      guard case .category = stream, let list = streams[stream], list.isMember(person) else {
        return false
      }
      let joined = Int(list.joinedSeq(person))
      guard joined > 0, list.events[joined - 1].at <= end else { return false }
      return list.events.contains { $0.at >= start && $0.at <= end }
    }
  }
}
