import Domain

extension Ledger {
  /// What has been in the bin since then goes for good, by nobody.
  mutating func purge(
    _ posts: [BinnedPost], of category: CategoryID, at moment: Moment
  ) throws(Halt) -> CommandResult {
    let draft = try Domain.purge(posts, in: category, &world)
    return try write(Decision(drafts: draft.map { [$0] } ?? []), by: nil, key: nil, at: moment)
  }
}
