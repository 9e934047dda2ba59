package import Domain

/// The rows of achievement that a question is about.
package struct AchievementSpan: Sendable {
  /// The moments, from the first up to but without the last.
  package let moments: Range<Timestamp>
  /// The first event that the asker may read.
  package let floor: Int64
  /// The user whose rows are asked for. Nil: those of everybody.
  package let user: UserID?
  package let limit: Int

  package init(moments: Range<Timestamp>, floor: Int64, user: UserID?, limit: Int) {
    self.moments = moments
    self.floor = floor
    self.user = user
    self.limit = limit
  }

  package func holds(_ row: AchievementRow) -> Bool {
    moments.contains(row.at) && row.seq >= floor && (user.map { $0 == row.user } ?? true)
  }
}
