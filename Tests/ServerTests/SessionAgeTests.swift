import Domain
import Sync
import Testing

@Suite("protocol §8 `account.login`: how long a session lives")
struct SessionAgeTests {
  private static let day: Int64 = 86_400_000

  private func session(usedAt: Int64) -> SessionRecord {
    let opened = Timestamp(milliseconds: 0)
    return SessionRecord(
      id: SessionID(UUID(high: 0, low: 1)), user: UserID(UUID(high: 0, low: 2)), tokenHash: [],
      deviceHash: nil, client: "", openedAt: opened, usedAt: Timestamp(milliseconds: usedAt))
  }

  @Test(
    "it ends after 90 days without use, counted from the last",
    arguments: [(-1, true), (0, true), (1, false)])
  func ends(_ beyond: Int64, _ isAlive: Bool) {
    let used = 5 * SessionAgeTests.day
    let now = Timestamp(milliseconds: used + 90 * SessionAgeTests.day + beyond)
    #expect(SessionAge.isAlive(session(usedAt: used), at: now) == isAlive)
  }

  @Test("its use is noted once a day", arguments: [(-1, false), (0, true), (1, true)])
  func noted(_ beyond: Int64, _ needsNote: Bool) {
    let now = Timestamp(milliseconds: SessionAgeTests.day + beyond)
    #expect(SessionAge.needsNote(session(usedAt: 0), at: now) == needsNote)
  }
}
