import Domain

extension Ledger {
  /// Gives back those of these posts whose claims have ended. The change is by nobody.
  mutating func end(
    claimsOf posts: [PostID], in category: CategoryID, at moment: Moment
  ) throws(Halt) -> CommandResult {
    let draft = try endClaims(posts, in: category, at: moment.now, in: &world)
    return try write(draft, at: moment)
  }

  /// Notes the earliest end of a staged claim, and whether something staged is in the bin.
  mutating func noteMoments(in changes: [ObjectChange]) {
    for change in changes {
      // A removed post is outside the state, so `after` would not show it.
      guard case .post(let post) = change.effect.object else { continue }
      if post.binned != nil { bins = true }
      guard let claim = post.claim else { continue }
      earliestClaimEnd = min(earliestClaimEnd ?? claim.until, claim.until)
    }
  }
}
