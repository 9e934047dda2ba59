import Testing

@testable import Domain

/// The methods that each role may call besides those of the roles before it, written down a second time.
private let added: [(Role, Set<Method>)] = [
  (
    .viewer,
    [
      .syncOpen, .postList, .memberList, .memberLeave, .notificationRead, .presenceSet, .typingSet,
      .progressSet, .historyGet, .historyState, .historyDiff, .search,
      .postQuery, .agendaGet, .postPlan, .reminderAdd, .reminderRemove, .postSnooze, .postDay,
      .postNote, .postWatch, .postTwins, .categoryMove, .statsGet,
    ]
  ),
  (.commenter, []),
  (
    .doer,
    [
      .postComplete, .postReopen, .stepComplete, .stepReopen, .undoPreview, .undo,
      .postClaim, .postRelease, .postClaimNext, .postTakeBack,
    ]
  ),
  (
    .editor,
    [
      .categoryAdd, .categoryEdit, .postAdd, .postEdit, .postRemove, .postRestore, .postErase,
      .stepAdd, .stepEdit, .stepRemove, .stepMove,
      .tagAdd, .tagEdit, .tagRemove, .postTag, .postUntag,
      .postAssign, .postUnassign, .postSkip, .postMove, .postMoveTo, .postCopy,
      .importUpsert,
    ]
  ),
  (
    .admin,
    [
      .invitationSend, .invitationRevoke, .memberRemove, .memberSetRole, .groupEdit,
      .invitationMakeCode, .invitationCodes, .categoryArchive, .categoryUnarchive, .linkMake,
      .linkRevoke, .linkList,
    ]
  ),
  (.owner, [.categoryRemove, .categoryRestore, .categoryList, .groupRemove, .groupRestore]),
]

private let allowed: [Role: Set<Method>] = {
  var methods: Set<Method> = []
  var table: [Role: Set<Method>] = [:]
  for (role, more) in added {
    methods.formUnion(more)
    table[role] = methods
  }
  return table
}()

/// The methods that no role in a place is asked for.
private let forEverybody: Set<Method> = [
  .hello, .ping, .syncClose, .accountRegister, .accountLogin, .accountRecover,
  .accountChangePassword, .accountLogout, .sessionList, .sessionClose, .profileGet, .profileEdit,
  .groupAdd, .invitationAccept, .invitationDecline, .notificationList, .batch, .invitationRedeem,
  .personBlock, .personUnblock, .serverAbout, .filterSave, .filterRemove, .sessionPair,
  .accountPair, .accountGuest, .accountUpgrade, .settingsEdit, .accountDelete, .accountKeep,
  .accountExport, .digestGet,
]

/// One cell of the table.
private struct Cell: CustomTestStringConvertible {
  let role: Role
  let method: Method
  var testDescription: String { "\(role.word) \(method.rawValue)" }

  static let all = Role.allCases.flatMap { role in
    Method.allCases.map { Cell(role: role, method: $0) }
  }
  static let ofCommands = all.filter { command(for: $0.method) != nil }
}

/// Returns a command of the method on category 1 or group 1 that succeeds for everybody who may call it.
private func command(for method: Method) -> Command? {
  let one: CategoryID = 1
  return switch method {
  case .categoryAdd: .addCategory(50, name: "New", group: 1)
  case .categoryEdit: .editCategory(one, name: "New")
  case .categoryRemove: .removeCategory(one)
  case .categoryRestore: .restoreCategory(one)
  case .categoryArchive: .archiveCategory(one)
  case .categoryUnarchive: .unarchiveCategory(one)
  case .postAdd: .addPost(one, 50, title: "New", notes: "")
  case .postEdit: .editPost(one, 1, PostEdit(title: "New"), ifVersion: nil)
  case .postComplete: .completePost(one, 1, ifVersion: nil)
  case .postReopen: .reopenPost(one, 2, ifVersion: nil)
  case .postRemove: .removePost(one, 1, ifVersion: nil)
  case .postRestore: .restorePost(one, 3, ifVersion: nil)
  case .postErase: .erasePost(one, 40)
  case .postMove: .movePost(one, 1, after: 40, before: nil)
  case .postMoveTo: .movePost(one, 1, to: 51)
  case .postCopy: .changePost(one, 1, .copy(as: 77, to: one))
  case .stepAdd, .stepEdit, .stepRemove, .stepMove, .stepComplete, .stepReopen, .tagAdd, .tagEdit,
    .tagRemove:
    commandOfParts(for: method)
  case .postTag: .changePost(one, 1, .tag(50))
  case .postUntag: .changePost(one, 40, .untag(50))
  case .postAssign: .changePost(one, 1, .assign("b"))
  case .postUnassign: .changePost(one, 40, .unassign("c"))
  case .postSkip: .changeOccurrence(one, 41, 1, .skip)
  case .postTakeBack: .changePost(one, 42, .takeBack(event: ownEnding))
  case .importUpsert: .importPost(PostAddress(category: one, post: 78), imported)
  case .postClaim: .changePost(one, 1, .claim(milliseconds: 60_000))
  case .postRelease: .changePost(one, 1, .release)
  case .postClaimNext: .claimNext(one, milliseconds: 60_000)
  case .invitationSend: .sendInvitation(50, .category(one), username: "user-d", .viewer)
  case .invitationRevoke: .revokeInvitation(40, .category(one))
  case .invitationMakeCode: .makeCode(50, .category(one), .init(role: .viewer, uses: 1, days: 1))
  case .linkMake: .link(.make(LinkID(UUID(high: 7, low: 9)), one, NewLink(days: 1)))
  case .linkRevoke: .link(.revoke(LinkID(UUID(high: 7, low: 1)), one))
  case .memberLeave: .leave(.category(one))
  case .categoryMove: .moveCategory(one, before: nil)
  case .memberRemove: .removeMember(.category(one), "b")
  case .memberSetRole: .setRole(.category(one), "b", .viewer)
  case .groupEdit: .editGroup(1, name: "New")
  case .groupRemove: .removeGroup(1)
  case .groupRestore: .restoreGroup(1)
  case .notificationRead: .markRead(.category(one), seq: 1)
  case .postPlan, .reminderAdd, .reminderRemove, .postSnooze, .postDay, .postNote, .postWatch:
    personalCommand(for: method)
  case .undo: .undo(UndoTarget(stream: .category(one), events: [ownEvent], seen: nil))
  case .accountDelete, .accountKeep: nil
  case .hello, .ping, .syncOpen, .syncClose, .accountRegister, .accountLogin, .accountRecover,
    .accountChangePassword, .accountLogout, .sessionList, .sessionClose, .profileGet, .profileEdit,
    .categoryList, .postList, .groupAdd, .invitationAccept, .invitationDecline, .memberList,
    .notificationList, .batch, .presenceSet, .typingSet, .progressSet, .undoPreview, .historyGet,
    .historyState, .historyDiff, .search, .invitationCodes, .filterSave, .filterRemove,
    .invitationRedeem, .personBlock, .personUnblock, .serverAbout, .postQuery, .agendaGet,
    .sessionPair, .accountPair, .accountGuest, .accountUpgrade, .settingsEdit, .linkList,
    .postTwins, .accountExport, .digestGet, .statsGet:
    nil
  }
}

/// Returns a command on the steps of post 40, or on tags.
private func commandOfParts(for method: Method) -> Command? {
  let one: CategoryID = 1
  return switch method {
  case .stepAdd: .changeStep(one, 40, 9, .add(content: "New"))
  case .stepEdit: .changeStep(one, 40, 1, .edit(content: "New"))
  case .stepRemove: .changeStep(one, 40, 1, .remove)
  case .stepMove: .changeStep(one, 40, 1, .move(before: nil))
  case .stepComplete: .changeStep(one, 40, 1, .complete)
  case .stepReopen: .changeStep(one, 40, 2, .reopen)
  case .tagAdd: .changeTag(one, 51, .add(name: "new"))
  case .tagEdit: .changeTag(one, 50, .edit(TagEdit(name: "other")))
  case .tagRemove: .changeTag(one, 50, .remove)
  default: nil
  }
}

/// Returns a command by which c says something of post 1 to themselves.
private func personalCommand(for method: Method) -> Command? {
  let one: CategoryID = 1
  return switch method {
  case .postPlan: .changePersonal(one, 1, .plan(nil))
  case .reminderAdd: .changePersonal(one, 1, .remind(.before(minutes: 60)))
  case .reminderRemove: .changePersonal(one, 1, .forget(.before(minutes: 60)))
  case .postSnooze: .changePersonal(one, 1, .snooze(until: nil))
  case .postDay: .changePersonal(one, 1, .day(nil))
  case .postNote: .changePersonal(one, 1, .note("to myself"))
  case .postWatch: .changePersonal(one, 1, .watch(true))
  default: nil
  }
}

private let imported = ImportedPost(
  source: SourceKey(name: "forge", id: "1"), url: nil, fields: PostEdit(title: "New"))

/// The number of the event of user c in category 1 of the house below.
private let ownEvent: Int64 = 9

/// The number of the event by which c completed an occurrence there.
private let ownEnding: Int64 = {
  let events = house(with: .doer).events[.category(1)] ?? []
  let ending = events.first {
    $0.ops.contains { if case .post(.occurred) = $0 { true } else { false } }
  }
  return ending?.seq ?? 0
}()

/// Returns the house with user c in category 1 and group 1 in this role. User c made a post and completed another one
/// before. User b is a member there too, and e is invited.
private func house(with role: Role) -> Scene {
  var scene = Scene.house()
  scene.must(.account(.register(Registration("e"))), by: "e")
  scene.admit("c", to: .category(1), as: .editor, by: "a", number: 30)
  scene.must(.addPost(1, 40, title: "Of c", notes: ""), by: "c")
  scene.must(.changeStep(1, 40, 1, .add(content: "one")), by: "c")
  scene.must(.changeStep(1, 40, 2, .add(content: "two")), by: "c")
  scene.must(.changeStep(1, 40, 2, .complete), by: "c")
  scene.must(.reopenPost(1, 2, ifVersion: nil), by: "c")
  scene.must(.completePost(1, 2, ifVersion: nil), by: "c")
  scene.must(.daily(1, 42), by: "a")
  scene.must(.changeOccurrence(1, 42, 1, .complete), by: "c")
  scene.must(.setRole(.category(1), "c", role), by: "a")
  scene.admit("c", to: .group(1), as: role, by: "a", number: 31)
  scene.admit("b", to: .category(1), as: .viewer, by: "a", number: 32)
  scene.must(.changeTag(1, 50, .add(name: "tag")), by: "a")
  scene.must(.changePost(1, 40, .tag(50)), by: "a")
  scene.must(.changePost(1, 40, .assign("c")), by: "a")
  scene.must(.daily(1, 41), by: "a")
  scene.must(.link(.make(LinkID(UUID(high: 7, low: 1)), 1, NewLink(days: 1))), by: "a")
  scene.must(.sendInvitation(40, .category(1), username: "user-e", .viewer), by: "a")
  scene.must(.addCategory(51, name: "Own", group: nil), by: "c")
  return scene
}

@Suite("DESIGN §3: one table role × method") struct PermissionTests {
  @Test("says what is written here", arguments: Cell.all)
  private func table(cell: Cell) {
    let expected =
      forEverybody.contains(cell.method) || allowed[cell.role, default: []].contains(cell.method)
    #expect(Permission.allows(cell.role, cell.method) == expected)
  }

  @Test("every cell is what decide does", arguments: Cell.ofCommands)
  private func decisions(cell: Cell) {
    let scene = house(with: cell.role)
    guard let command = command(for: cell.method) else { return }
    let refusal = scene.refusal(of: command, by: "c")
    if allowed[cell.role, default: []].contains(cell.method) {
      #expect(refusal == nil)
    } else {
      guard case .forbidden = refusal else {
        Issue.record("expected forbidden, got \(String(describing: refusal))")
        return
      }
    }
  }

  @Test(
    "a guest does what a person of the same role does, but invites nobody by name",
    arguments: Method.allCases)
  func guests(method: Method) {
    guard let command = command(for: method) else { return }
    for role in Role.allCases {
      var scene = house(with: role)
      let person = scene.refusal(of: command, by: "c")
      scene.makeGuest("c")
      let refusal = scene.refusal(of: command, by: "c")
      guard method == .invitationSend, role >= .admin else {
        #expect(refusal == person, "\(role.word)")
        continue
      }
      #expect(refusal == .forbidden("a guest invites by a code, not by name"))
    }
  }

  @Test("who looks by a link asks what is written here", arguments: Method.allCases)
  func links(method: Method) {
    let allowed: Set<Method> = [
      .hello, .ping, .serverAbout, .syncOpen, .syncClose, .postList, .presenceSet,
      .accountRegister, .accountLogin, .accountRecover, .accountPair, .accountGuest,
    ]
    #expect(Permission.allowsLink(method) == allowed.contains(method))
  }

  @Test("whoever is no member gets the words of what does not exist", arguments: Method.allCases)
  func strangers(method: Method) {
    guard let command = command(for: method) else { return }
    let ofGroups: Set<Method> = [.categoryAdd, .groupEdit, .groupRemove, .groupRestore]
    let noun = ofGroups.contains(method) ? "group" : "category"
    #expect(Scene.house().refusal(of: command, by: "d") == .notFound(noun))
    #expect(Scene().refusal(of: command, by: "d") == .notFound(noun))
  }
}
