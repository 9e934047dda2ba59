import Testing

@testable import Domain

private let home: StreamID = .category(1)

private func member(_ letter: Unicode.Scalar, _ role: Role?) -> Member {
  Member(
    id: UserID(letter), username: "user-\(letter)", name: "\(letter)", kind: .person,
    grants: Grants(direct: role), joinedSeq: 1)
}

private func put(_ member: Member) -> ObjectChange {
  ObjectChange(key: Object.member(member).key, before: nil, effect: .put(.member(member)))
}

@Suite("A world holds what the deciding side knows") struct WorldTests {
  @Test("asks for everything that is missing at once, each once")
  func asksOnce() {
    var world = World(bytesMax: 1000)
    world.provide(.head(home), .head(nil))
    #expect(throws: Halt.needs([.account("a"), .username("x")])) {
      try world.require([.head(home), .account("a"), .username("x"), .account("a")])
    }
  }

  @Test("a list that comes after a change has the change in it")
  func lateList() throws {
    var world = World(bytesMax: 1 << 20)
    world.stage([put(member("b", .owner)), put(member("c", .editor))], in: home)
    world.provide(
      .objects(home, .member), .objects([.member(member("b", .editor)), .member(member("a", nil))]))
    let roles = try world.members(of: home).map(\.role)
    #expect(roles == [nil, .owner, .editor])
    world.commit()
    #expect(try world.members(of: home).map(\.role) == [nil, .owner, .editor])
  }

  @Test("ranks that come after a change have the change in them")
  func lateRanks() throws {
    var world = World(bytesMax: 1 << 20)
    func rank(_ number: Int, seq: Int64) -> Rank {
      Rank(seq: seq, number: number, key: ObjectKey(kind: .post, id: PostID(number).uuid))
    }
    var done = openPost(3)
    done.completed = Completion(at: done.createdAt, by: "a", seq: 9)
    let key = ObjectKey(kind: .post, id: PostID(1).uuid)
    world.stage(
      [
        ObjectChange(key: Object.post(done).key, before: nil, effect: .put(.post(done))),
        ObjectChange(key: key, before: nil, effect: .dropped),
      ], in: home)
    world.provide(.ranks(home, .post), .ranks([rank(2, seq: 5), rank(1, seq: 4)]))
    #expect(try world.ranks(of: .post, in: home) == [rank(2, seq: 5), rank(3, seq: 9)])
    world.commit()
    #expect(try world.ranks(of: .post, in: home) == [rank(2, seq: 5), rank(3, seq: 9)])
  }

  @Test("An object that is put and dropped in one batch stays out of the state as it was put")
  func putAndDropped() {
    var world = World(bytesMax: 1 << 20)
    let key = Object.post(openPost(1)).key
    world.stage(
      [ObjectChange(key: key, before: nil, effect: .put(.post(openPost(1))))], in: home)
    world.stage([ObjectChange(key: key, before: nil, effect: .dropped)], in: home)
    #expect(world.stagedObjects.map(\.effect) == [.putOutside(.post(openPost(1)))])
  }

  @Test("a rollback leaves no trace")
  func rollback() throws {
    var world = World(bytesMax: 1 << 20)
    world.provide(.object(home, put(member("a", nil)).key), .object(.member(member("a", .owner))))
    world.stage([put(member("a", .editor))], in: home)
    world.stage(.user("b"), for: .username("x"))
    #expect(try world.member("a", of: home)?.role == .editor)
    world.rollback(forget: false)
    #expect(try world.member("a", of: home)?.role == .owner)
    #expect(world.stagedObjects.isEmpty)
    #expect(throws: Halt.needs([.username("x")])) { try world.user(named: "x") }
    world.rollback(forget: true)
    #expect(throws: Halt.self) { try world.member("a", of: home) }
  }

  @Test("holds at most so many bytes, and keeps what was used last")
  func bounded() throws {
    var world = World(bytesMax: 20_000)
    for number in 0..<1_000 {
      world.provide(.username("user-\(number)"), .user("a"))
      world.provide(.head(home), .head(nil))
      world.commit()
      #expect(world.bytes <= 21_000)
    }
    #expect(try world.user(named: "user-999") == "a")
    #expect(try world.head(of: home) == nil)
    #expect(throws: Halt.needs([.username("user-1")])) { try world.user(named: "user-1") }
  }

  @Test("An object that is used becomes young again")
  func promotion() throws {
    var world = World(bytesMax: 8_000)
    world.provide(.username("kept"), .user("a"))
    for number in 0..<200 {
      world.provide(.username("user-\(number)"), .user("b"))
      #expect(try world.user(named: "kept") == "a")
      world.commit()
    }
  }

  @Test("a world of no size still decides whatever one batch needs")
  func tiny() {
    var scene = Scene.house()
    scene.world = World(bytesMax: 0)
    scene.admit("c", to: .group(1), as: .owner, by: "a", number: 50)
    #expect(scene.member("c", of: .category(3))?.role == .owner)
  }
}
