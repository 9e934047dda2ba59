// Checks of forgetting, by the log that the truth keeps whole: only old events are forgotten, and never the newest one.

import Domain
import Sync
import Wire

extension Truth {
  /// Returns a sentence when the store forgets what it must keep.
  func forget(_ horizon: StreamPosition, before oldest: Timestamp) -> String? {
    let (stream, seq) = (horizon.stream, horizon.seq)
    guard let truth = streams[stream], truth.horizon < seq, seq < truth.head else {
      let (old, head) = (streams[stream]?.horizon ?? 0, streams[stream]?.head ?? 0)
      return "P1 \(stream) forgets up to \(seq); before it was \(old), and the head is \(head)"
    }
    let gone = truth.events[Int(truth.horizon)..<Int(seq)]
    if let young = gone.first(where: { $0.at >= oldest }) {
      return "P1 \(stream) forgets \(young.seq), which is not old"
    }
    setHorizon(of: stream, to: seq)
    return nil
  }

  /// Answers whether the store no longer has a key that was written once.
  func isForgotten(_ key: KeyAddress) -> Bool {
    guard let seq = keySeqs[key], let home = streams[key.stream] else { return false }
    return seq < home.horizon
  }
}

extension StreamTruth {
  /// Returns the first event that is kept and that a member may read (protocol §8, history.get).
  func firstRead(_ user: UserID) -> Int64 {
    let joined = joinedSeq(user)
    guard case .category(let id) = state.stream,
      case .category(let category) = state.object(.category, id.uuid)
    else { return max(1, joined, horizon + 1) }
    return max(category.history.begins(joinedSeq: joined), horizon + 1)
  }

  mutating func forget(through seq: Int64) {
    horizon = seq
    guard let newest = events.last, newest.seq == seq + 1 else { return }
    left += newest.ops.postsThatLeft.map { Erased(subject: .post($0), seq: newest.seq) }
  }

  /// Answers whether the log may have this as the body of that event: as it was written, or without the texts of posts
  /// that left by it, when nothing before it is kept any more (protocol §5.7).
  func isBody(_ body: [UInt8], of seq: Int64) -> Bool {
    let truth = bodies[Int(seq) - 1]
    if body == truth { return true }
    do throws(WireError) {
      var without = truth
      for it in left where it.seq == seq { without = try TextEraser(it.subject).body(without) }
      return body == without
    } catch {
      return false
    }
  }

  /// The newest events, which the log still has.
  var kept: ArraySlice<Event> { events[Int(horizon)...] }
}

extension Device {
  /// Answers whether a command may have been done although it is rightly refused, because its key may be forgotten
  /// (protocol §10.4). A command with a base is then refused as stale. One without a base is decided anew, as if it had
  /// another key: any refusal is right.
  func isForgotten(_ asked: Link.Asked, _ key: KeyAddress, _ refusal: ErrorKind?) -> Bool {
    guard case .command(_, key: _, let base) = asked.request,
      let home = world.truth.streams[key.stream]
    else { return false }
    guard let base else { return world.truth.isForgotten(key) }
    guard refusal == .staleBase else { return false }
    // The copy is one of another history.
    guard base.epoch == home.epoch, base.seq <= home.head else {
      return world.truth.isForgotten(key)
    }
    guard base.seq < home.horizon else {
      world.fail("P3 \(key.stream) has all after \(base.seq), and \(key.key) is refused")
      return false
    }
    world.count(.p2Forgotten)
    return true
  }
}
