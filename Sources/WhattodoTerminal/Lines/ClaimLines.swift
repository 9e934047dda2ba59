import Client
import Domain
import Screen
import Sync
import Wire

// Who is on a post: as it happens, behind its title, and for scripts.

extension EventLines {
  /// One that is only made longer is no news.
  func claimLine(
    _ id: PostID, _ op: ClaimOp, _ happening: Happening, _ who: Who, in stream: StreamID
  ) -> Line? {
    let title = title(of: id, happening)
    let place = situation.label(stream)
    switch op {
    case .taken(let user, let until, version: _):
      guard happening.claim(of: id)?.user != user else { return nil }
      let end = situation.clock.moment(until)
      return who.line("▸", .accent, "on it until \(end): \(title) (in \(place))")
    case .released: return who.line("◂", .accent, "not on it any more: \(title) (in \(place))")
    case .ended: return Line("nobody is on \(title) any more (in \(place))", .dim)
    }
  }
}

extension Happening {
  /// As it was before.
  fileprivate func claim(of id: PostID) -> PostClaim? {
    for change in changes {
      if case .post(let post) = change.before, post.id == id { return post.claim }
    }
    return nil
  }
}

extension Situation {
  /// Who is on a post at present, and until when; nil when nobody is.
  func holder(of post: Post, in stream: StreamID) -> (member: Member, until: Timestamp)? {
    guard let claim = post.claim, clock.now < claim.until,
      let member = streams[stream]?.member(claim.user), member.holds(claim)
    else { return nil }
    return (member, claim.until)
  }

  /// `  ▸ @editor until 13:00`; empty when nobody is on it.
  func claimMark(of post: Post, in stream: StreamID) -> Line {
    guard let (member, until) = holder(of: post, in: stream) else { return Line() }
    return Line("  ▸ \(name(of: member.id, in: stream)) until \(clock.moment(until))", .accent)
  }
}

extension JSONWriter {
  /// `"claimedBy":"editor","claimedUntil":1790000000000`
  mutating func claim(of post: Post, in stream: StreamID, _ situation: Situation) {
    guard let (member, until) = situation.holder(of: post, in: stream) else { return }
    key("claimedBy")
    string(member.username)
    key("claimedUntil")
    int(until.milliseconds)
  }
}
