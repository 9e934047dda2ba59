import Testing

@testable import Domain

@Suite("protocol §5.21: where the people of a contest stand") struct StandingTests {
  /// A post with these finishes, each by its event, and these amounts.
  private static func post(
    _ finishes: [(UserID, Int64)], _ amounts: [(UserID, Int64)], goal: Int64? = 100
  ) -> Post {
    var post = Post(
      id: 1, number: 1, title: "Book", notes: "", addedBy: "a",
      createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0), version: 1)
    post.mode = .each
    post.contest = .race
    post.goal = goal.map { Goal(amount: $0, unit: "pages") }
    post.parts = finishes.map { PostPart(user: $0.0, at: Timestamp(milliseconds: 0), seq: $0.1) }
    post.entries = amounts.map { ContestEntry(user: $0.0, seq: 2, amount: $0.1, isIn: nil) }
    return post
  }

  private static func standing(
    _ post: Post, of people: [UserID], counting: (PostPart) -> Bool = { _ in true }
  ) -> [RaceStanding] {
    post.standing(of: people, counting: counting)
  }

  @Test("An earlier finish is a better place, however far the later one got")
  func order() {
    let post = Self.post([("c", 9), ("d", 7)], [("c", 500), ("d", 100)])
    let standing = Self.standing(post, of: ["c", "d"])
    #expect(standing.map(\.user) == ["d", "c"] && standing.map(\.place) == [1, 2])
    #expect(standing.map(\.amount) == [100, 500])
  }

  @Test("A shared place is followed by one that is as much later")
  func shared() {
    let post = Self.post([("b", 7), ("c", 7), ("d", 8)], [])
    let standing = Self.standing(post, of: ["b", "c", "d"])
    #expect(standing.map(\.place) == [1, 1, 3] && standing.last?.user == "d")
  }

  @Test("The open ones stand behind all finishers, by their amounts, each behind the next better")
  func open() {
    let post = Self.post([("d", 7)], [("a", 20), ("b", 90), ("c", 20)])
    let standing = Self.standing(post, of: ["a", "b", "c", "d"])
    #expect(standing.prefix(2).map(\.user) == ["d", "b"])
    #expect(standing.map(\.place) == [1, 2, 3, 3])
    #expect(standing.suffix(3).map(\.behind) == [10, 70, 70])
    #expect(standing.map(\.isFinished) == [true, false, false, false])
  }

  @Test("A finish that does not count is none")
  func uncounted() {
    let post = Self.post([("c", 3), ("d", 7)], [("c", 100), ("d", 100)])
    let standing = Self.standing(post, of: ["c", "d"]) { $0.seq > 5 }
    #expect(standing.first?.user == "d" && standing.first?.place == 1)
    #expect(standing.last?.isFinished == false)
  }

  @Test("People who are not asked about do not stand, and those without an amount do")
  func people() {
    let post = Self.post([], [("a", 20), ("b", 90)])
    let standing = Self.standing(post, of: ["a", "c"])
    #expect(standing.map(\.user) == ["a", "c"] && standing.map(\.amount) == [20, 0])
    #expect(Self.standing(post, of: []).isEmpty)
  }
}
