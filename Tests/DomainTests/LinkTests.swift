import Testing

@testable import Domain

@Suite("protocol §8 link.make") struct LinkTests {
  private static let id = LinkID(UUID(high: 7, low: 1))
  static let home = StreamID.category(1)

  /// Returns the house in which c is an admin who has made a link.
  private static func scene() -> Scene {
    var scene = Scene.house()
    scene.admit("c", to: home, as: .admin, by: "a", number: 60)
    scene.must(.link(.make(id, 1, NewLink(days: 2))), by: "c")
    return scene
  }

  private func links(_ scene: Scene, _ stream: StreamID = home) -> [LinkID] {
    (scene.rows[stream] ?? [:]).values.compactMap { object in
      if case .link(let link) = object { link.id } else { nil }
    }
  }

  @Test("it says who made it, until when, and under which name its guests are known")
  func made() throws {
    let scene = Self.scene()
    let object = scene.rows[Self.home]?[ObjectKey(kind: .link, id: Self.id.uuid)]
    guard case .link(let link) = object else {
      Issue.record("there is no link")
      return
    }
    #expect(link.made.by == "c" && link.seq == scene.heads[Self.home]?.seq)
    #expect(link.endsAt.milliseconds - link.made.at.milliseconds == 2 * 86_400_000)
    #expect(link.guest.uuid.isLinkGuest && !link.id.uuid.isLinkGuest)
    #expect(!link.isOver(at: Timestamp(milliseconds: link.endsAt.milliseconds - 1)))
    #expect(link.isOver(at: link.endsAt))
  }

  @Test("nobody is registered under the name of a link's guests")
  func names() {
    let guest = UserID(UUID(high: 1, low: 2).asLinkGuest)
    let registration = Registration(
      id: guest, username: "link", name: "L", zone: "UTC", password: PasswordHash(phc: "$"),
      code: nil)
    #expect(
      Scene().refusal(of: .account(.register(registration)), by: guest)
        == .invalid(field: "id", reason: "must be a UUID of RFC 9562"))
  }

  @Test(
    "it ends with its maker's right to make it, in the same event",
    arguments: [
      Command.member(.leave(LinkTests.home)), .member(.remove(LinkTests.home, "c")),
      .member(.setRole(LinkTests.home, "c", .editor)),
    ])
  func maker(command: Command) {
    var scene = Self.scene()
    let by: UserID = if case .member(.leave) = command { "c" } else { "a" }
    let decision = scene.must(command, by: by)
    let ops = decision.drafts.first { $0.stream == Self.home }?.ops ?? []
    #expect(ops.contains(.link(.ended(Self.id))))
    #expect(links(scene) == [])
  }

  @Test("it stays with a role that makes links, and others' stay with theirs")
  func stays() {
    var scene = Self.scene()
    scene.must(.link(.make(LinkID(UUID(high: 7, low: 2)), 1, NewLink(days: 1))), by: "a")
    scene.must(.member(.setRole(Self.home, "c", .owner)), by: "a")
    #expect(links(scene).count == 2)
    scene.must(.member(.remove(Self.home, "c")), by: "a")
    #expect(links(scene) == [LinkID(UUID(high: 7, low: 2))])
  }

  @Test("there are twenty; those that are over make room")
  func limit() {
    var scene = Self.scene()
    for number in 2...20 {
      let id = LinkID(UUID(high: 7, low: UInt64(number)))
      scene.must(.link(.make(id, 1, NewLink(days: 1))), by: "a")
    }
    let another = Command.link(.make(LinkID(UUID(high: 7, low: 21)), 1, NewLink(days: 1)))
    #expect(scene.refusal(of: another, by: "a") == .quota(limit: "links", max: 20))
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 86_400_000)
    scene.must(another, by: "a")
    #expect(links(scene).count == 2)
  }

  @Test("it is taken back by who may make one, also when the list is removed")
  func revoked() {
    var scene = Self.scene()
    scene.must(.category(.remove(1)), by: "a")
    scene.must(.link(.revoke(Self.id, 1)), by: "a")
    #expect(links(scene) == [])
    #expect(scene.refusal(of: .link(.revoke(Self.id, 1)), by: "a") == .notFound("link"))
    let again = Command.link(.make(Self.id, 1, NewLink(days: 1)))
    #expect(scene.refusal(of: again, by: "a") == .gone("category"))
    scene.must(.category(.restore(1)), by: "a")
    #expect(scene.refusal(of: again, by: "a") == .exists(field: "id"), "its code would be good")
    // Elsewhere that id makes another code.
    #expect(scene.refusal(of: .link(.make(Self.id, 2, NewLink(days: 1))), by: "b") == nil)
  }

  @Test("an id is good once, however its link ended")
  func once() {
    for end in [Command.link(.revoke(Self.id, 1)), .member(.setRole(Self.home, "c", .editor))] {
      var scene = Self.scene()
      scene.must(end, by: "a")
      for maker in ["a", "c"] as [UserID] where scene.role(of: maker, in: Self.home) != .editor {
        let again = Command.link(.make(Self.id, 1, NewLink(days: 1)))
        #expect(scene.refusal(of: again, by: maker) == .exists(field: "id"))
      }
    }
    var scene = Self.scene()
    scene.now = scene.now.after(days: 3)
    // This makes room.
    scene.must(.link(.make(LinkID(UUID(high: 7, low: 2)), 1, NewLink(days: 1))), by: "a")
    #expect(links(scene).count == 1)
    let again = Command.link(.make(Self.id, 1, NewLink(days: 1)))
    #expect(scene.refusal(of: again, by: "a") == .exists(field: "id"))
  }
}
