import Testing

@testable import Domain

@Suite("protocol §5.20, talk that is switched off") struct SilenceTests {
  private static let own = StreamID.category(1)
  /// A list of group 1, and the group itself.
  private static let shared = StreamID.category(3)
  private static let family = StreamID.group(1)
  private static let inList = Refusal.forbidden("talk is switched off in this list")
  private static let inGroup = Refusal.forbidden("talk is switched off in this group")
  private static let onServer = Refusal.forbidden("talk is switched off on this server")

  private static func say(_ stream: StreamID) -> Command { .line(.say(stream, text: "Hello")) }

  private static func edit(_ line: Int64, in stream: StreamID) -> Command {
    .line(.edit(stream, line: line, text: "Hello, all"))
  }

  /// Says a line and returns its number.
  private static func said(in stream: StreamID, _ scene: inout Scene) -> Int64 {
    scene.must(say(stream), by: "a")
    return scene.heads[stream]?.seq ?? 0
  }

  private static func isHeld(_ line: Int64, in stream: StreamID, _ scene: Scene) -> Bool {
    scene.states[stream]?.objects[TalkLine.key(of: line)] != nil
  }

  @Test("In a silent list nothing is said or changed, what was said stays, and it is removed")
  func list() {
    var scene = Scene.house()
    let line = Self.said(in: Self.own, &scene)
    scene.must(.category(.edit(1, CategoryEdit(talk: .off))), by: "a")
    #expect(scene.category(1)?.talk == .off)
    #expect(scene.refusal(of: Self.say(Self.own), by: "a") == Self.inList)
    #expect(scene.refusal(of: Self.edit(line, in: Self.own), by: "a") == Self.inList)
    let sign = Command.line(.react(Self.own, line: line, sign: "👏"))
    #expect(scene.refusal(of: sign, by: "a") == Self.inList)
    #expect(Self.isHeld(line, in: Self.own, scene))
    scene.must(.line(.remove(Self.own, line: line)), by: "a")
    #expect(!Self.isHeld(line, in: Self.own, scene))
    scene.must(.category(.edit(1, CategoryEdit(talk: .on))), by: "a")
    scene.must(Self.say(Self.own), by: "a")
  }

  @Test("A silent group silences its lists, and no other")
  func group() {
    var scene = Scene.house()
    let line = Self.said(in: Self.shared, &scene)
    scene.must(.group(.edit(1, talk: .off)), by: "a")
    for stream in [Self.family, Self.shared] {
      #expect(scene.refusal(of: Self.say(stream), by: "b") == Self.inGroup)
    }
    #expect(scene.refusal(of: Self.edit(line, in: Self.shared), by: "a") == Self.inGroup)
    #expect(scene.category(3)?.talk == .on)
    scene.must(Self.say(Self.own), by: "a")
    scene.must(.line(.remove(Self.shared, line: line)), by: "a")
    scene.must(.category(.edit(3, CategoryEdit(talk: .off))), by: "a")
    scene.must(.group(.edit(1, talk: .on)), by: "a")
    #expect(scene.refusal(of: Self.say(Self.shared), by: "b") == Self.inList)
    scene.must(Self.say(Self.family), by: "b")
  }

  @Test("On a silent server nothing is said anywhere, also after a batch that may have failed")
  func server() {
    var scene = Scene.house()
    let line = Self.said(in: Self.own, &scene)
    scene.world = World(bytesMax: 1 << 20, hasTalk: false)
    for _ in 0..<2 {
      for stream in [Self.own, Self.shared, Self.family] {
        #expect(scene.refusal(of: Self.say(stream), by: "a") == Self.onServer)
      }
      #expect(scene.refusal(of: Self.edit(line, in: Self.own), by: "a") == Self.onServer)
      scene.world.rollback(forget: true)
    }
    scene.must(.line(.remove(Self.own, line: line)), by: "a")
  }

  @Test("A refusal for silence tells nothing to who finds no such place, or may not talk there")
  func order() {
    var scene = Scene.house()
    scene.admit("d", to: Self.own, as: .viewer, by: "a", number: 60)
    scene.must(.category(.edit(1, CategoryEdit(talk: .off))), by: "a")
    #expect(scene.refusal(of: Self.say(Self.own), by: "c") == .notFound("category"))
    #expect(
      scene.refusal(of: Self.say(Self.own), by: "d")
        == .forbidden("the role viewer does not allow line.say here"))
  }

  @Test("Admins and owners switch talk off and on, and an editor does not")
  func roles() {
    var scene = Scene.house()
    scene.admit("b", to: Self.own, as: .editor, by: "a", number: 60)
    scene.admit("c", to: Self.own, as: .admin, by: "a", number: 61)
    for talk in TalkSetting.allCases {
      #expect(
        scene.refusal(of: .category(.edit(1, CategoryEdit(name: "Den", talk: talk))), by: "b")
          == .forbidden("only admins and owners switch talk off and on"))
    }
    #expect(scene.refusal(of: .group(.edit(1, talk: .off)), by: "b") != nil)
    for user in ["a", "c"] as [UserID] {
      scene.must(.category(.edit(1, CategoryEdit(talk: .off))), by: user)
      scene.must(.category(.edit(1, CategoryEdit(talk: .on))), by: user)
    }
  }

  @Test("An edit says only what is new, and nothing when nothing is")
  func onlyChanges() {
    var scene = Scene.house()
    #expect(scene.changes(.category(.edit(1, CategoryEdit(talk: .on))), by: "a") == false)
    #expect(scene.changes(.group(.edit(1, talk: .on)), by: "a") == false)
    let both = scene.must(
      .category(.edit(1, CategoryEdit(name: "Home", color: .set(.red), talk: .off))), by: "a")
    let edit = CategoryEdit(color: .set(.red), talk: .off)
    #expect(both.drafts.map(\.ops) == [[.category(.edited(edit))]])
    let renamed = scene.must(.group(.edit(1, name: "Kin", talk: .on)), by: "a")
    #expect(renamed.drafts.map(\.ops) == [[.group(.edited(name: "Kin"))]])
    let silent = scene.must(.group(.edit(1, name: "Kin", talk: .off)), by: "a")
    #expect(silent.drafts.map(\.ops) == [[.group(.edited(talk: .off))]])
  }

  @Test("An undo brings talk back with the other fields")
  func undo() {
    var scene = Scene.house()
    let edit = CategoryEdit(name: "Den", talk: .off)
    scene.must(.category(.edit(1, edit)), by: "a")
    let first = scene.heads[Self.own]?.seq ?? 0
    let back = scene.must(
      .undo(UndoTarget(stream: Self.own, events: [first], seen: nil)), by: "a")
    #expect(
      back.drafts.map(\.ops) == [[.category(.edited(CategoryEdit(name: "Home", talk: .on)))]])
    #expect(scene.category(1)?.talk == .on)
  }

  @Test("Somebody who may no longer set talk does not bring it back by an undo")
  func undoOfFormerAdmin() {
    var scene = Scene.house()
    scene.admit("b", to: Self.own, as: .admin, by: "a", number: 60)
    scene.must(.category(.edit(1, CategoryEdit(talk: .off))), by: "b")
    let seq = scene.heads[Self.own]?.seq ?? 0
    scene.must(.member(.setRole(Self.own, "b", .editor)), by: "a")
    let target = UndoTarget(stream: Self.own, events: [seq], seen: nil)
    let undone = scene.must(.undo(target), by: "b")
    #expect(undone.drafts.isEmpty && undone.skipped?.map(\.reason) == [.forbidden])
    #expect(scene.category(1)?.talk == .off)
  }
}
