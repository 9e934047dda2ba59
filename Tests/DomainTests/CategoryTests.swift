import Testing

@testable import Domain

@Suite("Categories and groups") struct CategoryTests {
  @Test(
    "are refused",
    arguments: [
      Refused(
        why: "a category with a known category's id",
        command: .category(.add(2, name: "x", group: nil)), refusal: .exists(field: "id")),
      Refused(
        why: "a category with a group's id",
        command: .category(
          .add(CategoryID(GroupID(integerLiteral: 1).uuid), name: "x", group: nil)),
        refusal: .exists(field: "id")),
      Refused(
        why: "a group with a user's id",
        command: .group(.add(GroupID(UserID("b").uuid), name: "x")), refusal: .exists(field: "id")),
      Refused(
        why: "a group with a known group's id", command: .group(.add(1, name: "x")), by: "c",
        refusal: .exists(field: "id")),
      Refused(
        why: "a category of a foreign group", command: .category(.add(9, name: "x", group: 1)),
        by: "c", refusal: .notFound("group")),
      Refused(
        why: "a category of an unknown group", command: .category(.add(9, name: "x", group: 7)),
        refusal: .notFound("group")),
      Refused(
        why: "a foreign category's name", command: .category(.edit(2, name: "x")),
        refusal: .notFound("category")),
      Refused(
        why: "a foreign category's zone", command: .category(.edit(1, CategoryEdit(zone: "UTC"))),
        by: "c",
        refusal: .notFound("category")),
      Refused(
        why: "a removed category's name", command: .category(.edit(4, name: "x")),
        refusal: .gone("category")),
      Refused(
        why: "an editor says what members may read",
        command: .category(.edit(3, name: "New", history: .joined)), by: "b",
        refusal: .forbidden("only an owner says what members may read of what was")),
      Refused(
        why: "an editor says it again", command: .category(.edit(3, history: .all)), by: "b",
        refusal: .forbidden("only an owner says what members may read of what was")),
      Refused(
        why: "a stranger says what members may read",
        command: .category(.edit(2, history: .joined)),
        refusal: .notFound("category")),
      Refused(
        why: "what members may read of a removed one",
        command: .category(.edit(4, history: .joined)), refusal: .gone("category")),
      Refused(
        why: "a group's category removed by an editor", command: .category(.remove(3)), by: "b",
        refusal: .forbidden("the role editor does not allow category.remove here")),
      Refused(
        why: "the restore of a foreign category", command: .category(.restore(4)), by: "b",
        refusal: .notFound("category")),
    ])
  func refusals(row: Refused) {
    #expect(Scene.house().refusal(of: row.command, by: row.by) == row.refusal)
  }

  @Test(
    "change nothing when all is so already",
    arguments: [
      Idle(why: "the same name", command: .category(.edit(1, name: "Home"))),
      Idle(
        why: "the zone and no color again",
        command: .category(.edit(1, CategoryEdit(zone: "UTC", color: .clear)))),
      Idle(why: "the same history", command: .category(.edit(1, history: .all))),
      Idle(why: "the same both", command: .category(.edit(1, name: "Home", history: .all))),
      Idle(why: "removed", command: .category(.remove(4))),
      Idle(why: "not removed", command: .category(.restore(1))),
    ])
  func idle(row: Idle) {
    #expect(Scene.house().changes(row.command, by: row.by) == false)
  }

  @Test("a personal one belongs to its maker")
  func personal() {
    let scene = Scene.house()
    #expect(scene.member("a", of: .category(1))?.grants == Grants(direct: .owner))
    #expect(scene.member("a", of: .category(1))?.joinedSeq == 1)
    #expect(scene.membership(of: "a", in: .category(1))?.role == .owner)
  }

  @Test("one has the zone of who adds it, or another one, and may change it")
  func zone() {
    var scene = Scene.house()
    #expect(scene.category(1)?.zone == "UTC")
    scene.must(.account(.editProfile(ProfileEdit(zone: "Asia/Kathmandu"))), by: "a")
    scene.must(.category(.add(8, name: "Mine", group: nil)), by: "a")
    #expect(scene.category(8)?.zone == "Asia/Kathmandu")
    scene.must(.category(.add(9, name: "Ours", group: 1)), by: "a")
    #expect(scene.category(9)?.zone == "Asia/Kathmandu")
    let lisbon = NewCategory(name: "There", zone: "Europe/Lisbon", color: .green)
    scene.must(.category(.add(10, lisbon)), by: "a")
    #expect(scene.category(10)?.zone == "Europe/Lisbon" && scene.category(10)?.color == .green)
    let edit = CategoryEdit(name: "Here", zone: "UTC", color: .clear)
    let made = scene.must(.category(.edit(10, edit)), by: "a")
    #expect(made.drafts.map(\.ops) == [[.category(.edited(edit))]])
    #expect(scene.category(10)?.zone == "UTC" && scene.category(10)?.color == nil)
    #expect(scene.category(1)?.zone == "UTC")
  }

  @Test("its owner says what members may read of what was")
  func history() {
    var scene = Scene.house()
    #expect(scene.category(1)?.history == .all)
    let both = scene.must(.category(.edit(1, name: "Den", history: .joined)), by: "a")
    #expect(
      both.drafts.map(\.ops) == [
        [
          .category(.edited(CategoryEdit(name: "Den"))),
          .category(.edited(CategoryEdit(history: .joined))),
        ]
      ])
    #expect(scene.category(1)?.history == .joined)
    scene.must(.category(.edit(1, name: "Home")), by: "a")
    #expect(scene.category(1)?.history == .joined)
    let back = scene.must(.category(.edit(1, name: "Home", history: .all)), by: "a")
    #expect(back.drafts.map(\.ops) == [[.category(.edited(CategoryEdit(history: .all)))]])
    scene.must(.category(.add(9, name: "Garden", group: 1, history: .joined)), by: "b")
    #expect(scene.category(9)?.history == .joined)
  }

  @Test(
    "The past begins with the first event, or the one that let somebody in",
    arguments: [
      (CategoryHistory.all, 0, 1), (.all, 1, 1), (.all, 7, 1), (.joined, 0, 1), (.joined, 1, 1),
      (.joined, 7, 7),
    ])
  func begins(history: CategoryHistory, joinedSeq: Int64, first: Int64) {
    #expect(history.begins(joinedSeq: joinedSeq) == first)
  }

  @Test("one of a group has the group's members with their roles, whoever makes it")
  func ofGroup() throws {
    var scene = Scene.house()
    let decision = scene.must(.category(.add(9, name: "Garden", group: 1)), by: "b")
    let touched: [StreamID] = [.category(9), .group(1), .user("a"), .user("b")]
    #expect(decision.drafts.map(\.stream) == touched)
    #expect(scene.member("a", of: .category(9))?.grants == Grants(viaGroup: .owner))
    #expect(scene.member("b", of: .category(9))?.grants == Grants(viaGroup: .editor))
    #expect(scene.membership(of: "b", in: .category(9))?.role == .editor)
    #expect(scene.category(9)?.group == 1)
  }

  @Test("who left the group does not come into its new categories")
  func formerMembers() {
    var scene = Scene.house()
    scene.must(.member(.leave(.group(1))), by: "b")
    scene.must(.category(.add(9, name: "Garden", group: 1)), by: "a")
    #expect(scene.member("b", of: .category(9)) == nil)
    #expect(scene.membership(of: "b", in: .category(9)) == nil)
  }

  @Test("a removed one keeps posts and members, and a restore brings it back as it was")
  func removeAndRestore() {
    var scene = Scene.house()
    let before = scene.category(4)
    #expect(before?.removed != nil)
    scene.must(.category(.restore(4)), by: "a")
    #expect(scene.category(4)?.removed == nil)
    #expect(scene.category(4)?.counters == Counters(open: 1))
    #expect(scene.changes(.completePost(4, 1, ifVersion: nil), by: "a") == true)
  }

  @Test("a person has at most so many")
  func quota() {
    var scene = Scene.house()
    for number in 0..<(Limits.categoriesPerUserMax) {
      let id = CategoryID(UUID(high: 0xCC, low: UInt64(number)))
      let command = Command.category(.add(id, name: "x", group: nil))
      let refusal = scene.refusal(of: command, by: "d")
      #expect(refusal == nil)
      scene.must(command, by: "d")
    }
    #expect(
      scene.refusal(of: .category(.add(9, name: "x", group: nil)), by: "d")
        == .quota(limit: "categories", max: Limits.categoriesPerUserMax))
    // Removed categories do not count, up to so many.
    for number in 0..<Limits.removedCategoriesUncountedMax {
      scene.must(.category(.remove(CategoryID(UUID(high: 0xCC, low: UInt64(number))))), by: "d")
      let id = CategoryID(UUID(high: 0xCD, low: UInt64(number)))
      scene.must(.category(.add(id, name: "x", group: nil)), by: "d")
    }
    scene.must(.category(.remove(CategoryID(UUID(high: 0xCC, low: 200)))), by: "d")
    #expect(
      scene.refusal(of: .category(.add(9, name: "x", group: nil)), by: "d")
        == .quota(limit: "categories", max: Limits.categoriesPerUserMax))
    for number in 0..<(Limits.groupsPerUserMax) {
      scene.must(.group(.add(GroupID(UUID(high: 0x66, low: UInt64(number))), name: "x")), by: "d")
    }
    #expect(
      scene.refusal(of: .group(.add(9, name: "x")), by: "d")
        == .quota(limit: "groups", max: Limits.groupsPerUserMax))
    scene.must(.group(.remove(GroupID(UUID(high: 0x66, low: 0)))), by: "d")
    #expect(scene.refusal(of: .group(.add(9, name: "x")), by: "d") == nil)
  }

  @Test("lists of a group that somebody is in already are not counted again when they join it")
  func quotaOnce() {
    var scene = Scene.house()
    scene.must(.category(.add(9, name: "Garden", group: 1)), by: "a")
    scene.admit("d", to: .category(3), as: .viewer, by: "a", number: 50)
    for number in 0..<(Limits.categoriesPerUserMax - 2) {
      let id = CategoryID(UUID(high: 0xCC, low: UInt64(number)))
      scene.must(.category(.add(id, name: "x", group: nil)), by: "d")
    }
    var one = scene
    one.admit("d", to: .group(1), as: .editor, by: "a", number: 51)
    #expect(one.membership(of: "d", in: .category(9)) != nil)
    scene.must(.category(.add(10, name: "Cellar", group: 1)), by: "a")
    scene.must(.invitation(.send(52, .group(1), username: "user-d", .editor)), by: "a")
    #expect(
      scene.refusal(of: .invitation(.accept(52)), by: "d")
        == .quota(limit: "categories", max: Limits.categoriesPerUserMax))
  }

  @Test("removed lists do not fill a group, up to so many")
  func groupQuota() {
    var scene = Scene.house()
    func id(_ number: Int) -> CategoryID { CategoryID(UUID(high: 0xCC, low: UInt64(number))) }
    for number in 1..<Limits.categoriesPerGroupMax {
      scene.must(.category(.add(id(number), name: "x", group: 1)), by: "a")
    }
    let full = Refusal.quota(limit: "categoriesPerGroup", max: Limits.categoriesPerGroupMax)
    #expect(scene.refusal(of: .category(.add(9, name: "x", group: 1)), by: "a") == full)
    scene.must(.category(.remove(id(1))), by: "a")
    scene.must(.category(.add(9, name: "x", group: 1)), by: "a")
    #expect(scene.refusal(of: .category(.add(10, name: "x", group: 1)), by: "a") == full)
  }
}
