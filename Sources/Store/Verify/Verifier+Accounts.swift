import Domain
import Sync

// Checks of accounts that end.
extension Verifier {
  /// Checks that each profile that ends has its row, and each row its profile.
  mutating func checkEnds() throws(DatabaseError) {
    let gone = try goneAccounts()
    var missing = ends.filter { !gone.contains($0.key) }
    let select = try database.prepare("SELECT user, at FROM account_end WHERE gone = 0")
    try select.each { (row) throws(DatabaseError) in
      let user = UserID(try row.uuid(0))
      if missing.removeValue(forKey: user)?.milliseconds != row.int64(1) {
        report.add("The account \(user) does not end when its profile says so.")
      }
      return true
    }
    for user in missing.keys.sorted() { report.add("The account \(user) would never end.") }
  }

  /// Returns the accounts that have ended and may still be named somewhere.
  func goneAccounts() throws(DatabaseError) -> Set<UserID> {
    Set(
      try database.prepare("SELECT user FROM account_end WHERE gone = 1").rows {
        (row: Statement) throws(DatabaseError) in UserID(try row.uuid(0))
      })
  }

  /// Checks that nothing is left of a dropped stream, unless it is being erased.
  mutating func checkDropped(_ stream: StoredStream) throws(DatabaseError) {
    let places = "place >= \(stream.number << 32) AND place < \((stream.number + 1) << 32)"
    let ofStream = "stream = \(stream.number)"
    let ofEither = "person = \(stream.number) OR list = \(stream.number)"
    // A note about somebody who left a list is about the posts of the list (`ReminderSubject.goes`).
    let isMember = "kind = \(ReminderSubject.Stored.member)"
    let ofSubject = "list = \(stream.number) OR person = \(stream.number) AND NOT \(isMember)"
    func count(_ table: String, _ condition: String) throws(DatabaseError) -> Int {
      Int(try database.integer("SELECT count(*) FROM \(table) WHERE \(condition)"))
    }
    let events = try count("event", places)
    let objects = try count("object", ofStream)
    let words = try count("post_words", places)
    report.events += events
    report.objects += objects
    report.words += words
    let others =
      try count("access", ofStream) + count("command_key", ofStream)
      + count("horizon_object", ofStream) + count("post_due", ofStream)
      + count("achievement", ofStream)
      + count("reminder", ofEither) + count("reminder_check", ofSubject)
    guard events + objects + words + others > 0, try count("erasure", ofStream) == 0 else { return }
    report.add("\(stream.id): something is left of what was dropped.")
  }
}
