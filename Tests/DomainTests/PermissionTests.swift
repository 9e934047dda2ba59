import Testing

@testable import Domain

/// The methods that each role may call besides those of the roles before it, written down a second time.
private let added: [(Role, Set<Method>)] = [
  (
    .viewer,
    [
      .connection(.open), .query(.posts), .query(.members), .member(.leave), .single(.markRead),
      .moment(.presence), .moment(.typing), .moment(.progress), .query(.historyEvents),
      .query(.historyState), .query(.historyDifference), .query(.search), .query(.view),
      .query(.agenda), .personal(.plan), .personal(.addReminder), .personal(.removeReminder),
      .personal(.snooze), .personal(.day), .personal(.note), .personal(.watch), .query(.twins),
      .category(.move), .query(.stats),
    ]
  ),
  (.commenter, []),
  (
    .doer,
    [
      .post(.complete), .post(.reopen), .step(.complete), .step(.reopen), .query(.undoPreview),
      .single(.undo), .post(.claim), .post(.release), .post(.claimNext), .post(.takeBack),
    ]
  ),
  (
    .editor,
    [
      .category(.add), .category(.edit), .post(.add), .post(.edit), .post(.remove), .post(.restore),
      .post(.erase), .step(.add), .step(.edit), .step(.remove), .step(.move), .tag(.add),
      .tag(.edit), .tag(.remove), .post(.tag), .post(.untag), .post(.assign), .post(.unassign),
      .post(.skip), .post(.move), .post(.moveTo), .post(.copy), .post(.importUpsert),
    ]
  ),
  (
    .admin,
    [
      .invitation(.send), .invitation(.revoke), .member(.remove), .member(.setRole), .group(.edit),
      .invitation(.makeCode), .query(.codes), .category(.archive), .category(.unarchive),
      .link(.make), .link(.revoke), .query(.links),
    ]
  ),
  (
    .owner,
    [
      .category(.remove), .category(.restore), .group(.remove),
      .group(.restore),
    ]
  ),
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
  .connection(.hello), .connection(.ping), .connection(.close), .signIn(.register), .signIn(.login),
  .signIn(.recover), .signIn(.changePassword), .signIn(.logout), .query(.sessions),
  .account(.closeSession), .query(.profile), .query(.categories), .account(.editProfile),
  .group(.add),
  .invitation(.accept), .invitation(.decline), .query(.notifications), .single(.batch),
  .invitation(.redeem), .person(.block), .person(.unblock), .connection(.about), .filter(.save),
  .filter(.remove), .signIn(.openPairing), .signIn(.pair), .signIn(.guest), .signIn(.upgrade),
  .account(.editSettings), .signIn(.delete), .account(.keep), .query(.export), .query(.digest),
]

/// One cell of the table.
private struct Cell: CustomTestStringConvertible {
  let role: Role
  let method: Method
  var testDescription: String { "\(role.word) \(method.name)" }

  static let all = Role.allCases.flatMap { role in
    Method.allCases.map { Cell(role: role, method: $0) }
  }
  static let ofCommands = all.filter { Method.judged.contains($0.method) }
}

@Suite("DESIGN §3: one table role × method") struct PermissionTests {
  @Test("says what is written here", arguments: Cell.all)
  private func table(cell: Cell) {
    let expected =
      forEverybody.contains(cell.method) || allowed[cell.role, default: []].contains(cell.method)
    #expect(Permission.allows(cell.role, cell.method) == expected)
  }

  @Test("every cell is what decide does", arguments: Cell.ofCommands)
  private func decisions(cell: Cell) throws {
    let scene = house(with: cell.role)
    let command = try #require(cell.method.commandInHouse)
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
    arguments: Method.judged)
  func guests(method: Method) throws {
    let command = try #require(method.commandInHouse)
    for role in Role.allCases {
      var scene = house(with: role)
      let person = scene.refusal(of: command, by: "c")
      scene.makeGuest("c")
      let refusal = scene.refusal(of: command, by: "c")
      guard method == .invitation(.send), role >= .admin else {
        #expect(refusal == person, "\(role.word)")
        continue
      }
      #expect(refusal == .forbidden("a guest invites by a code, not by name"))
    }
  }

  @Test("who looks by a link asks what is written here", arguments: Method.allCases)
  func links(method: Method) {
    let allowed: Set<Method> = [
      .connection(.hello), .connection(.ping), .connection(.about), .connection(.open),
      .connection(.close), .query(.posts), .moment(.presence), .signIn(.register), .signIn(.login),
      .signIn(.recover), .signIn(.pair), .signIn(.guest),
    ]
    #expect(method.row.isOpenToLinks == allowed.contains(method))
  }

  @Test(
    "Somebody who is no member gets the same answer as for a place that does not exist",
    arguments: Method.judged)
  func strangers(method: Method) throws {
    let command = try #require(method.commandInHouse)
    let ofGroups: Set<Method> = [.category(.add), .group(.edit), .group(.remove), .group(.restore)]
    let noun = ofGroups.contains(method) ? "group" : "category"
    #expect(Scene.house().refusal(of: command, by: "d") == .notFound(noun))
    #expect(Scene().refusal(of: command, by: "d") == .notFound(noun))
  }
}
