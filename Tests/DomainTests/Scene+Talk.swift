import Testing

@testable import Domain

extension Scene {
  /// The list in which people talk: category 1 of the house.
  static let talked = StreamID.category(1)

  /// Returns the house with b (admin), c (commenter) and d (viewer) in category 1.
  static func withTalkers() -> Scene {
    var scene = Scene.house()
    let people: [(UserID, Role)] = [("b", .admin), ("c", .commenter), ("d", .viewer)]
    for (number, (user, role)) in people.enumerated() {
      scene.admit(user, to: talked, as: role, by: "a", number: 60 + number)
    }
    return scene
  }

  /// Returns a line of the list; nil when the state does not have it.
  func line(_ number: Int64) -> TalkLine? {
    guard case .line(let it)? = states[Scene.talked]?.objects[TalkLine.key(of: number)] else {
      return nil
    }
    return it
  }

  /// Says a line in the list and returns its number.
  mutating func say(
    _ text: String, by user: UserID, post: PostID? = nil, answers: Int64? = nil
  ) -> Int64 {
    must(.line(.say(Scene.talked, text: text, post: post, answers: answers)), by: user)
    return heads[Scene.talked]?.seq ?? 0
  }
}
