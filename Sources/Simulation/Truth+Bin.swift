// Checks of the bin, from the log alone. Nothing is purged before its time, or when it has left the bin since, or
// twice, and nobody touches what was purged. At the end nothing is left in a bin whose time has come. The check that
// its text is gone everywhere is that of erased texts (Truth+Erasing).

import Domain
import Sync

/// The moment at which a transaction was written.
struct TrueMoment {
  let generation: Int
  /// The machine time, in milliseconds that never jump.
  let machine: Int64
}

/// The posts in the bin of a list, and those that were purged from it.
struct BinSeen {
  private struct Stay {
    let since: Timestamp
    /// The moment at which the removal was written; nil when it is not known.
    let written: TrueMoment?
  }

  private var stays: [PostID: Stay] = [:]
  private var gone: Set<PostID> = []

  /// Takes an event; returns a sentence when it purges what it must not.
  mutating func add(_ event: Event, _ moment: TrueMoment?, _ tally: inout Tally) -> String? {
    for case .post(let op) in event.ops {
      if gone.contains(op.post) { return "P12 \(op.post) is touched, which has gone" }
      switch op {
      case .removed(let id, _, _, _):
        stays[id] = Stay(since: event.at, written: moment)
      case .erased(let id, _, _):
        if stays[id] != nil { stays[id] = Stay(since: event.at, written: moment) }
      case .restored(let post, _), .reopened(let post, _): stays[post.id] = nil
      case .purged(let id, _):
        tally.count(.p12Purged)
        if let breach = purged(id, by: event, moment) { return breach }
        stays[id] = nil
        gone.insert(id)
      default: break
      }
    }
    return nil
  }

  private func purged(_ id: PostID, by event: Event, _ moment: TrueMoment?) -> String? {
    guard event.by == nil, event.key == nil else { return "P12 \(id) is purged by somebody" }
    guard let stay = stays[id] else { return "P12 \(id) is purged, which is not in the bin" }
    let keep = SimRules.bin.keepMilliseconds ?? .max
    guard stay.since.milliseconds + keep <= event.at.milliseconds else {
      return "P12 \(id) is purged before its time"
    }
    // This holds whatever the wall clock did: no run of the server may take its jumps for days.
    if let moment, let from = stay.written, from.generation == moment.generation,
      moment.machine - from.machine < keep
    {
      return "P12 \(id) is purged by a clock that has jumped"
    }
    return nil
  }

  /// Returns a post whose time has come: it has been there since `limit` or longer.
  func left(since limit: Timestamp) -> PostID? {
    stays.filter { $0.value.since <= limit }.keys.min()
  }
}

extension Truth {
  /// Returns a sentence about a post that is left in a bin and whose time has come, by the time from which the server
  /// counts.
  func unpurged(at now: Timestamp, countedFrom from: Timestamp) -> String? {
    guard let keep = SimRules.bin.keepMilliseconds, now.milliseconds - keep >= from.milliseconds
    else { return nil }
    let limit = Timestamp(milliseconds: now.milliseconds - keep)
    for stream in order {
      guard let truth = streams[stream], !truth.isDropped, let post = truth.bin.left(since: limit)
      else { continue }
      return "P12 \(post) of \(stream) is in the bin beyond its time"
    }
    return nil
  }
}
