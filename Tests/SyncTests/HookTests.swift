import Domain
import Testing
import Wire

@testable import Sync

@Suite("protocol §5.17: one report on its way")
struct HookTests {
  private static let builds = CategoryID(UUID(high: 2, low: 1))
  private static let work = CategoryID(UUID(high: 2, low: 2))
  private static let bot = UserID(UUID(high: 1, low: 9))
  private static let result = CommandResult(changed: true, number: 12)

  private func hook(_ body: String, list: CategoryID? = nil) -> Hook {
    Hook(
      Result { () throws(Failure) in try HookReport(Array(body.utf8), as: .form) }, list: list,
      repeatedBy: "once"
    ) { texts in
      (0..<32).map { index in texts.joined().utf8.reduce(UInt8(index)) { $0 &* 31 &+ $1 } }
    }
  }

  private func identity(
    lists: Set<CategoryID>? = [builds], methods: Set<Method>? = nil
  ) -> HookStanding {
    .known(
      Identity(
        user: Self.bot, session: SessionID(UUID(high: 3, low: 1)), kind: .bot,
        token: Token(
          id: TokenID(UUID(high: 4, low: 1)), lists: lists, methods: methods,
          endsAt: Timestamp(milliseconds: 1 << 50))))
  }

  private func command(_ step: Hook.Step) -> SessionCommand? {
    if case .submit(let command) = step { command } else { nil }
  }

  private func kind(_ step: Hook.Step) -> ErrorKind? {
    if case .answer(let answer) = step { answer.error } else { nil }
  }

  @Test("goes to the only list of the token, or to the one that is named")
  func lists() throws {
    for (body, list, lists, expected) in [
      ("title=x", nil, [Self.builds], Self.builds),
      ("title=x", Self.work, [Self.builds, Self.work], Self.work),
      ("title=x&list=\(Self.work.uuid)", nil, [Self.builds, Self.work], Self.work),
      ("title=x&list=\(Self.work.uuid)", Self.work, [Self.work], Self.work),
    ] as [(String, CategoryID?, Set<CategoryID>, CategoryID)] {
      var hook = hook(body, list: list)
      let command = try #require(self.command(hook.recognized(identity(lists: lists))))
      #expect(command.command.home(of: Self.bot) == .category(expected))
      let done = hook.finished(.done(Self.result))
      guard case .answer(.taken(Self.result, _, in: expected)) = done else {
        Issue.record("\(done)")
        continue
      }
    }
  }

  @Test("goes nowhere where no list is meant, or two are")
  func noList() {
    for (body, list, lists) in [
      ("title=x", nil, nil), ("title=x", nil, [Self.builds, Self.work]),
      ("title=x&list=\(Self.work.uuid)", Self.builds, [Self.builds, Self.work]),
    ] as [(String, CategoryID?, Set<CategoryID>?)] {
      var hook = hook(body, list: list)
      #expect(kind(hook.recognized(identity(lists: lists))) == .invalid)
    }
  }

  @Test("does what its token allows, and nothing else")
  func allowed() {
    var elsewhere = hook("title=x", list: Self.work)
    #expect(kind(elsewhere.recognized(identity())) == .forbidden)
    let adds: Set<Method> = [.post(.add)]
    var add = hook("title=x")
    #expect(command(add.recognized(identity(methods: adds))) != nil)
    for body in ["id=7&title=x", "job=a&state=ok"] {
      var hook = hook(body)
      #expect(kind(hook.recognized(identity(methods: adds))) == .forbidden)
    }
    let imports: Set<Method> = [.post(.importUpsert), .post(.reopen), .run(.start)]
    var end = hook("job=a&state=ok")
    #expect(kind(end.recognized(identity(methods: imports))) == .forbidden)
  }

  @Test("is refused before the body is looked at where the token is not good")
  func unwelcome() {
    for body in ["title=x", "title="] {
      var hook = hook(body)
      #expect(kind(hook.recognized(.unwelcome)) == .unauthenticated)
    }
    var limited = hook("title=x")
    #expect(kind(limited.recognized(.limited(afterMilliseconds: 20))) == .rateLimited)
    var unavailable = hook("title=x")
    #expect(kind(unavailable.recognized(.unavailable(afterMilliseconds: 20))) == .unavailable)
    var wrong = hook("title=")
    #expect(kind(wrong.recognized(identity())) == .invalid)
  }

  @Test("says the end alone where the run is known, once, and with another key")
  func known() throws {
    let isKnown = RequestOutcome.failed(.refused(.inBatch(index: 2, .exists(field: "run"))))
    var hook = hook("job=a&run=7&state=ok")
    let first = try #require(command(hook.recognized(identity())))
    let second = try #require(command(hook.finished(isKnown)))
    #expect(first.key != second.key && first.command != second.command)
    #expect(kind(hook.finished(isKnown)) == .exists)
    var started = self.hook("job=a&run=7&state=started")
    #expect(command(started.recognized(identity())) != nil)
    #expect(kind(started.finished(isKnown)) == .exists)
  }

  @Test("tells what is in the way, in its own words")
  func refused() throws {
    var hook = hook("job=a&state=ok")
    _ = hook.recognized(identity())
    let step = hook.finished(.failed(.refused(.inBatch(index: 2, .gone("post")))))
    #expect(step == .answer(.refused(.refused(.gone("post")))))
    var unknown = self.hook("title=x")
    _ = unknown.recognized(identity())
    #expect(kind(unknown.finished(.failed(.unknownOutcome))) == .unknownOutcome)
  }
}
