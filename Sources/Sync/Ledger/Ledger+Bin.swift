import Domain

extension Ledger {
  /// Removes for good those posts that have been in the bin since they were found. The change is by nobody.
  mutating func purge(
    _ posts: [BinnedPost], of category: CategoryID, at moment: Moment
  ) throws(Halt) -> CommandResult {
    let draft = try Domain.purge(posts, in: category, &world)
    return try write(draft, at: moment)
  }
}
