import MethodSamples
import Testing

@testable import Domain

/// The requests that each role may make besides those of the roles before it, written down a second time. The role of a
/// change stands in its sample.
private let added: [(Role, Set<Method>)] = [
  (
    .viewer,
    [
      .connection(.open), .query(.posts), .query(.members), .moment(.presence), .moment(.typing),
      .moment(.progress), .query(.historyEvents), .query(.historyState),
      .query(.historyDifference), .query(.search), .query(.view), .query(.agenda), .query(.twins),
      .query(.stats),
    ]
  ),
  (.commenter, []),
  (.doer, [.query(.undoPreview)]),
  (.editor, []),
  (.admin, [.query(.codes), .query(.links)]),
  (.owner, []),
]

private let allowed: [Role: Set<Method>] = {
  var methods: Set<Method> = []
  var table: [Role: Set<Method>] = [:]
  for (role, more) in added {
    methods.formUnion(more)
    methods.formUnion(MethodSample.ofMethods.filter { $0.least == role }.map(\.method))
    table[role] = methods
  }
  return table
}()

/// The methods that no role in a place is asked for, besides the changes whose sample says so.
private let forEverybody: Set<Method> = Set<Method>([
  .connection(.hello), .connection(.ping), .connection(.close), .connection(.about),
  .signIn(.login), .signIn(.logout), .signIn(.openPairing), .signIn(.pair), .signIn(.guest),
  .signIn(.upgrade), .query(.sessions), .query(.profile), .query(.bots), .query(.categories),
  .query(.notifications), .query(.export), .query(.digest),
]).union(MethodSample.ofMethods.filter { $0.least == nil }.map(\.method))

/// One cell of the table.
private struct Cell: CustomTestStringConvertible {
  let role: Role
  let method: Method
  var testDescription: String { "\(role.word) \(method.name)" }

  static let all = Role.allCases.flatMap { role in
    Method.allCases.map { Cell(role: role, method: $0) }
  }
}

/// One cell, with a command that a member of that role sends.
private struct Call: CustomTestStringConvertible {
  let role: Role
  let sample: MethodSample
  var testDescription: String { "\(role.word) \(sample)" }

  static let all = Role.allCases.flatMap { role in
    MethodSample.judged.map { Call(role: role, sample: $0) }
  }
}

extension MethodSample {
  /// The samples for which a role is asked.
  fileprivate static let judged = all.filter { $0.least != nil }
}

extension Scene {
  /// Makes a scene of what happened, in order.
  fileprivate init(_ doings: [Household.Doing]) {
    self.init()
    for person in Household.people { must(.account(.register(person)), by: person.id) }
    for doing in doings { must(doing.command, by: doing.by) }
  }
}

@Suite("DESIGN §3: one table role × method") struct PermissionTests {
  @Test("says what is written here", arguments: Cell.all)
  private func table(cell: Cell) {
    let expected =
      forEverybody.contains(cell.method) || allowed[cell.role, default: []].contains(cell.method)
    #expect(Permission.allows(cell.role, cell.method) == expected)
  }

  @Test("the sample of a method is a command of it", arguments: Method.allCases)
  func sampled(method: Method) {
    #expect(method.sample.map { $0.method == method } ?? true)
    // Only what changes something has a sample, besides what signs in or out.
    let isJudged = method.row.kind == .change || method.row.kind == .account
    #expect(method.sample == nil || isJudged)
    #expect(method.row.kind != .change || method.sample != nil)
  }

  @Test("every cell is what decide does", arguments: Call.all)
  private func decisions(call: Call) throws {
    let scene = Scene(call.sample.past(role: call.role))
    let (command, sender) = (call.sample.command, call.sample.by)
    let refusal = scene.refusal(of: command, by: sender)
    if call.role >= (try #require(call.sample.least)) {
      #expect(refusal == nil)
      #expect(scene.changes(command, by: sender) == true)
    } else {
      guard case .forbidden = refusal else {
        Issue.record("expected forbidden, got \(String(describing: refusal))")
        return
      }
    }
  }

  @Test(
    "a guest does what a person of the same role does, but invites nobody by name",
    arguments: MethodSample.judged)
  func guests(sample: MethodSample) {
    for role in Role.allCases {
      var scene = Scene(sample.past(role: role))
      let person = scene.refusal(of: sample.command, by: sample.by)
      scene.makeGuest(sample.by)
      let refusal = scene.refusal(of: sample.command, by: sample.by)
      guard sample.method == .invitation(.send), role >= .admin else {
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
    arguments: MethodSample.judged)
  func strangers(sample: MethodSample) {
    // A list is added to the group.
    let isOfGroup = sample.home == .group(Household.group) || sample.method == .category(.add)
    let noun = isOfGroup ? "group" : "category"
    let stranger = Household.stranger
    let scene = Scene(Household.doings())
    #expect(scene.refusal(of: sample.command, by: stranger) == .notFound(noun))
    #expect(Scene().refusal(of: sample.command, by: stranger) == .notFound(noun))
  }
}
