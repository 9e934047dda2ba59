import Domain
import Testing

// Which methods these tests call.
extension EveryMethodTests {
  @Test("Every method of the protocol is called in these tests")
  func complete() {
    let called: Set<Method> = [
      .connection(.hello), .connection(.ping), .connection(.about), .connection(.open),
      .connection(.close), .signIn(.register), .signIn(.login), .signIn(.recover), .signIn(.logout),
      .query(.sessions), .query(.profile), .query(.categories), .query(.posts), .query(.members),
      .query(.notifications), .moment(.presence), .moment(.typing), .moment(.progress),
      .query(.undoPreview), .query(.historyEvents), .query(.digest), .query(.stats),
      .query(.historyState), .query(.historyDifference), .query(.search), .query(.codes),
      .query(.links), .query(.twins), .query(.view), .query(.agenda), .signIn(.openPairing),
      .signIn(.pair), .signIn(.guest), .signIn(.upgrade), .query(.export),
    ]
    #expect(called.union(EveryMethodTests.changes.map(\.method)) == Set(Method.allCases))
  }
}
