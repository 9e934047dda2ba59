import Domain
import Sync
import Wire

// Checks of the deadlines of posts.
extension Verifier {
  /// Compares the rows of deadlines. Posts that are still to be looked at may have any row, or none.
  mutating func checkDues(
    of stream: StoredStream, _ replay: StreamReplay, comparing: Bool
  ) throws(DatabaseError) {
    guard case .category = stream.id else { return }
    guard comparing else {
      report.dues += Int(
        try database.integer("SELECT count(*) FROM post_due WHERE stream = \(stream.number)"))
      return
    }
    let after = try database.prepare("SELECT after FROM due_check WHERE stream = \(stream.number)")
      .first { (row) throws(DatabaseError) in row.int64(0) }
    var missing = deadlines(of: stream, replay)
    let select = try database.prepare(
      "SELECT post, at, told FROM post_due WHERE stream = \(stream.number)")
    try select.each { (row) throws(DatabaseError) in
      report.dues += 1
      let (number, at, told) = (row.int64(0), row.int64(1), row.int64(2))
      let expected = missing.removeValue(forKey: number)
      if let after, number > after { return true }
      if expected?.deadline?.milliseconds != at || (expected?.isTold ?? false) != (told == 1) {
        report.add("\(stream.id): when #\(number) is due is not what the post says.")
      }
      return true
    }
    for number in missing.keys.sorted() where after.map({ number <= $0 }) ?? true {
      report.add("\(stream.id): when #\(number) is due is missing.")
    }
  }

  /// Answers whether deadlines can be compared. With other rules of the zones they differ until a server has looked.
  mutating func checkZones() throws(DatabaseError) -> Bool {
    guard let zones, let before = try Surroundings.words(of: Surroundings.zones, in: database),
      before != zones
    else { return true }
    report.remarks.append(
      "The deadlines are those of time zones \(before), and this machine has \(zones): not compared;"
        + " a server that is started brings them up to date.")
    return false
  }

  /// Returns the deadlines of a stream's posts, by number.
  private func deadlines(of stream: StoredStream, _ replay: StreamReplay) -> [Int64: PostDue] {
    guard case .category(let category) = replay.rows[stream.id.ownKey]?.object else { return [:] }
    var deadlines: [Int64: PostDue] = [:]
    for row in replay.rows.values {
      guard case .post(let post) = row.object else { continue }
      let due = PostDue(post, in: category, almanac)
      if due.deadline != nil { deadlines[Int64(post.number)] = due }
    }
    return deadlines
  }
}
