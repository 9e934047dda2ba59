import Domain
import Sync

// Checks of the rows of achievement.
extension Verifier {
  /// Compares the rows of a list with those that its events make. Rows of posts from before the horizon are not
  /// compared: the events that made them are forgotten.
  mutating func checkAchievements(
    of stream: StoredStream, _ replay: AchievementReplay
  ) throws(DatabaseError) {
    var expected: [PostID: [AchievementRow]] = [:]
    for row in replay.rows { expected[row.post, default: []].append(row) }
    let select = try database.prepare(
      "SELECT \(AchievementSQL.columns) FROM achievement WHERE stream = \(stream.number)")
    var found: [PostID: [AchievementRow]] = [:]
    try select.each { (row) throws(DatabaseError) in
      report.achievements += 1
      let row = try AchievementRow(row: row)
      found[row.post, default: []].append(row)
      return true
    }
    let unfilled = try database.integer(
      "SELECT count(*) FROM achievement_check WHERE stream = \(stream.number)")
    if unfilled > 0 { return }
    for post in Set(expected.keys).union(found.keys).sorted() where replay.knows(post) {
      // A post that is forgotten altogether was there before the horizon.
      if expected[post] == nil, stream.head.horizon > 0 { continue }
      if !isSame(expected[post] ?? [], found[post] ?? []) {
        report.add("\(stream.id): the achievements of \(post) are not what the events made.")
      }
    }
  }

  private func isSame(_ left: [AchievementRow], _ right: [AchievementRow]) -> Bool {
    left.count == right.count && left.allSatisfy(right.contains)
  }
}
