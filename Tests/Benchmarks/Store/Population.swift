import Crypto
import Domain
import Glibc
import Store
import Sync

/// People with tokens and lists for a server that is to be measured, written through the ledger and the
/// store: nobody has to register and no password is hashed.
struct Population {
  /// People, each with an open session.
  private var users = 1
  /// Lists of the first person.
  private var lists = 0
  /// Posts in the first of these lists.
  private var posts = 0
  /// Groups, each of `members` people with so many `categories`; person p is in group p % groups.
  private var groups = 0
  /// Posts with dues, priorities and assignments: `dated` in the first of these lists, `spread` in each other one.
  private var dated = 0
  private var spread = 0
  private var categories = 0
  /// Posts that the members of each group have completed, in turn, in its categories in turn.
  private var done = 0

  init(_ words: ArraySlice<String>) {
    for word in words {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let number = Int(parts[1]), number >= 0 else {
        fail("no number: \(word)")
      }
      switch parts[0] {
      case "users": users = number
      case "lists": lists = number
      case "posts": posts = number
      case "groups": groups = number
      case "dated": dated = number
      case "spread": spread = number
      case "categories": categories = number
      case "done": done = number
      default: fail("there is no \(parts[0])")
      }
    }
  }

  /// The file gets one line for each person: the token, then the streams' heads as `stream epoch seq tx`.
  func write(to folder: DataFolder, listing path: String) throws {
    try folder.prepare()
    let store = try SQLiteStore(writing: folder, lock: try folder.lock()) {
      BenchmarkDriver.identity
    }
    var driver = BenchmarkDriver(epoch: BenchmarkDriver.identity.epoch)
    var people: [UserID] = []
    var tokens: [String] = []
    for number in 0..<users {
      people.append(try driver.person("bench-\(number)", store))
      if number % 500 == 499 { try commit(&driver, store) }
    }
    try commit(&driver, store)
    for (number, user) in people.enumerated() {
      tokens.append(try openSession(of: user, number, &driver, store))
      if number % 500 == 499 { try commit(&driver, store) }
    }
    try commit(&driver, store)
    try addLists(of: people[0], &driver, store)
    try addDated(of: people[0], &driver, store)
    try addGroups(of: people, &driver, store)
    try list(people, tokens, store, to: path)
  }

  private func commit(_ driver: inout BenchmarkDriver, _ store: SQLiteStore) throws {
    try store.commit(driver.taken())
    try store.tidy()
  }

  private func openSession(
    of user: UserID, _ number: Int, _ driver: inout BenchmarkDriver, _ store: SQLiteStore
  ) throws -> String {
    let token = sha256(Array("bench-\(number)".utf8))
    guard let account = try store.account(user) else { fail("an account is missing") }
    let time = Timestamp(milliseconds: Int64(time(nil)) * 1_000)
    let session = SessionRecord(
      id: SessionID(driver.name()), user: user, tokenHash: sha256(token), deviceHash: nil,
      client: "bench", openedAt: time, usedAt: time)
    try driver.settle(.openSession(session, account: account), store)
    return Base64.encodeURL(token)
  }

  private func addLists(of user: UserID, _ driver: inout BenchmarkDriver, _ store: SQLiteStore)
    throws
  {
    for list in 0..<lists {
      let id = BenchmarkDriver.category(list)
      try driver.settle(.category(.add(id, name: "List \(list)", group: nil)), by: user, store)
    }
    for number in 0..<posts {
      let title = "Post \(number), about as long as titles are in a list like this one"
      _ = try driver.post(title, in: BenchmarkDriver.category(0), by: user, store)
      if number % 500 == 499 { try commit(&driver, store) }
    }
    try commit(&driver, store)
  }

  /// One of 400 is due each day, from three days ago on; one of ten is somebody's, one of a hundred says `flowers`.
  private func addDated(
    of user: UserID, _ driver: inout BenchmarkDriver, _ store: SQLiteStore
  ) throws {
    let first = Day(number: Int(time(nil)) / 86_400 - 3)
    var number = 0
    for list in 0..<lists {
      for _ in 0..<(list == 0 ? dated : spread) {
        let post = PostID(driver.name())
        let what = number % 100 == 0 ? "flowers for Sunday" : "something that has to be done"
        let fields = PostEdit(
          priority: number % 7 == 0 ? .set(.high) : .keep,
          due: .set(.day(first.adding(days: number % 400))))
        let address = PostAddress(category: BenchmarkDriver.category(list), post: post)
        let new = NewPost(title: "Post \(number), \(what)", fields: fields)
        try driver.settle(.post(.add(address, new)), by: user, store)
        if number % 10 == 0 {
          try driver.settle(.post(.change(address, .assign(user), ifVersion: nil)), by: user, store)
        }
        number += 1
        if number % 500 == 0 { try commit(&driver, store) }
      }
    }
    try commit(&driver, store)
  }

  private func addGroups(of people: [UserID], _ driver: inout BenchmarkDriver, _ store: SQLiteStore)
    throws
  {
    for number in 0..<groups {
      let owner = people[number]
      let group = GroupID(driver.name())
      try driver.settle(.group(.add(group, name: "Group \(number)")), by: owner, store)
      for category in 0..<categories {
        let id = BenchmarkDriver.category(1_000_000 + number * categories + category)
        try driver.settle(
          .category(.add(id, name: "List \(category)", group: group)), by: owner, store)
      }
      for member in stride(from: number + groups, to: people.count, by: groups) {
        let invitation = InvitationID(driver.name())
        try driver.settle(
          .invitation(.send(invitation, .group(group), username: "bench-\(member)", .editor)),
          by: owner, store)
        try driver.settle(.invitation(.accept(invitation)), by: people[member], store)
        try commit(&driver, store)
      }
      let members = stride(from: number, to: people.count, by: groups).map { people[$0] }
      try complete(in: number, by: members, &driver, store)
    }
    try commit(&driver, store)
  }

  private func complete(
    in group: Int, by members: [UserID], _ driver: inout BenchmarkDriver, _ store: SQLiteStore
  ) throws {
    for count in 0..<done {
      let user = members[count % members.count]
      let id = BenchmarkDriver.category(1_000_000 + group * categories + count % categories)
      let post = try driver.post("Post \(count)", in: id, by: user, store)
      try driver.settle(.completePost(id, post, ifVersion: nil), by: user, store)
      if count % 500 == 499 { try commit(&driver, store) }
    }
    try commit(&driver, store)
  }

  private func list(
    _ people: [UserID], _ tokens: [String], _ store: SQLiteStore, to path: String
  ) throws {
    guard let file = fopen(path, "w") else { fail("\(path) cannot be written") }
    for (user, token) in zip(people, tokens) {
      var words = [token]
      for access in try store.streams(of: user) {
        let head = access.head
        words += ["\(access.stream)", head.epoch.text, "\(head.seq)", "\(head.transaction)"]
      }
      fputs(words.joined(separator: " ") + "\n", file)
    }
    guard fclose(file) == 0 else { fail("\(path) cannot be written") }
  }
}
