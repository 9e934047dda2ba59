import Domain

extension Ledger {
  /// What was claimed until now or before is given back, by nobody.
  mutating func end(
    claimsOf posts: [PostID], in category: CategoryID, at moment: Moment
  ) throws(Halt) -> CommandResult {
    let draft = try endClaims(posts, in: category, at: moment.now, in: &world)
    return try write(Decision(drafts: draft.map { [$0] } ?? []), by: nil, key: nil, at: moment)
  }

  /// Of what is staged.
  mutating func noteMoments(in changes: [ObjectChange]) {
    for change in changes {
      // A removed one leaves the state.
      guard case .post(let post) = change.effect.object else { continue }
      if post.binned != nil { bins = true }
      guard let claim = post.claim else { continue }
      earliestClaimEnd = min(earliestClaimEnd ?? claim.until, claim.until)
    }
  }
}
