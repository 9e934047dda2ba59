// Checks of claims, from the log alone: nobody gets a post that somebody else is on; a claim ends by itself once and
// not before its time; at the end no claim is left whose time is over.

import Domain
import Sync

extension StreamTruth {
  /// Returns a sentence when the newest event does to a claim what it must not.
  func checkClaims(_ event: Event, _ tally: inout Tally) -> String? {
    let isAbout = event.ops.contains { op in if case .post(.claim) = op { true } else { false } }
    guard isAbout else { return nil }
    var before = states[events.count - 1]
    for (index, op) in event.ops.enumerated() {
      if case .post(.claim(let post, let claim)) = op {
        if let breach = before.breach(claim, of: post, by: event, &tally) { return breach }
      }
      _ = before.apply(event, ops: index..<index + 1)
    }
    return nil
  }

  fileprivate func unended(at now: Timestamp) -> String? {
    for case .post(let post) in state.objects.values {
      guard let claim = post.claim else { continue }
      if post.completed != nil { return "P12 #\(post.number) is completed and claimed" }
      if claim.until <= now { return "P12 #\(post.number) is claimed beyond its time" }
    }
    return nil
  }
}

extension StreamState {
  fileprivate func breach(
    _ op: ClaimOp, of id: PostID, by event: Event, _ tally: inout Tally
  ) -> String? {
    guard case .post(let post) = object(.post, id.uuid) else {
      return "P12 a claim of \(id), which is no post"
    }
    switch op {
    case .taken(let user, let until, version: _):
      tally.count(.p12Claimed)
      guard user == event.by, event.at < until, post.completed == nil else {
        return "P12 \(id) is claimed for somebody else, for no time, or is completed"
      }
      guard let claim = post.claim, claim.user != user, event.at < claim.until,
        case .member(let holder) = object(.member, claim.user.uuid), holder.holds(claim)
      else { return nil }
      return "P12 \(id) is claimed by two"
    case .released: return post.claim == nil ? "P12 \(id) is given back by nobody" : nil
    case .ended:
      tally.count(.p12Ended)
      guard event.by == nil, let claim = post.claim, claim.until <= event.at else {
        return "P12 the claim of \(id) ends before its time, twice, or by somebody"
      }
      return nil
    }
  }
}

extension Truth {
  func unended(at now: Timestamp) -> String? {
    for stream in order where streams[stream]?.isDropped == false {
      if let breach = streams[stream]?.unended(at: now) { return "\(stream): \(breach)" }
    }
    return nil
  }
}
