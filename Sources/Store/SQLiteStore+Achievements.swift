package import Domain
package import Sync

extension SQLiteStore {
  package func achievements(
    in category: CategoryID, _ span: AchievementSpan
  ) throws(StoreError) -> [AchievementRow] {
    try query { (reads) throws(DatabaseError) in
      let statement = reads.achievements
      try statement.bind(1, .category(category))
      try statement.bind(2, span.moments.lowerBound.milliseconds)
      try statement.bind(3, span.moments.upperBound.milliseconds)
      try statement.bind(4, span.floor)
      try statement.bind(5, span.user?.uuid)
      try statement.bind(6, span.limit)
      return try statement.rows { (row) throws(DatabaseError) in try AchievementRow(row: row) }
    }
  }
}

extension MemoryStore {
  package func achievements(
    in category: CategoryID, _ span: AchievementSpan
  ) throws(StoreError) -> [AchievementRow] {
    let rows = (content.achievements[category] ?? [:]).values.flatMap { $0 }
    return Array(rows.filter(span.holds).prefix(span.limit))
  }
}
