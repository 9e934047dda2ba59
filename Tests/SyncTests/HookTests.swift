import Domain
import TestRandom
import Testing
import Wire

@testable import Sync

@Suite("protocol §5.17: one report on its way")
struct HookTests {
  private static let builds = CategoryID(UUID(high: 2, low: 1))
  private static let work = CategoryID(UUID(high: 2, low: 2))
  private static let bot = UserID(UUID(high: 1, low: 9))
  private static let result = CommandResult(changed: true, number: 12)

  private func order(
    _ body: String, list: CategoryID? = nil, lists: Set<CategoryID>? = [builds],
    methods: Set<Method>? = nil, isKnown: Bool = false
  ) throws -> Result<HookOrder, Failure> {
    let message = HookMessage(
      token: "", body: Array(body.utf8), form: .form, list: list, key: "once", fresh: "fresh",
      digest: testDigest)
    let identity = Identity(
      user: Self.bot, session: SessionID(UUID(high: 3, low: 1)), kind: .bot,
      token: Token(
        id: TokenID(UUID(high: 4, low: 1)), lists: lists, methods: methods,
        endsAt: Timestamp(milliseconds: 1 << 50)))
    return try message.order(by: identity) { report, list, names in
      let post = report.newPost(in: list, names, attempt: 0)
      return isKnown ? .known(post) : .new(post)
    }
  }

  private func kind(_ order: Result<HookOrder, Failure>) -> ErrorKind? {
    if case .failure(let failure) = order { failure.kind } else { nil }
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
      var hook = Hook(try order(body, list: list, lists: lists).get())
      let command = try #require(self.command(hook.begin()))
      #expect(command.command.home(of: Self.bot) == .category(expected))
      let done = hook.finished(.done(Self.result))
      guard case .answer(.taken(Self.result, _, in: expected)) = done else {
        Issue.record("\(done)")
        continue
      }
    }
  }

  @Test("goes nowhere where no list is meant, or two are")
  func noList() throws {
    for (body, list, lists) in [
      ("title=x", nil, nil), ("title=x", nil, [Self.builds, Self.work]),
      ("title=x&list=\(Self.work.uuid)", Self.builds, [Self.builds, Self.work]),
    ] as [(String, CategoryID?, Set<CategoryID>?)] {
      #expect(kind(try order(body, list: list, lists: lists)) == .invalid)
    }
  }

  @Test("does what its token allows, and nothing else")
  func allowed() throws {
    #expect(kind(try order("title=x", list: Self.work)) == .forbidden)
    let adds: Set<Method> = [.post(.add)]
    #expect(kind(try order("title=x", methods: adds)) == nil)
    for body in ["id=7&title=x", "job=a&state=ok"] {
      #expect(kind(try order(body, methods: adds)) == .forbidden)
    }
    let imports: Set<Method> = [.post(.importUpsert), .post(.reopen), .run(.start)]
    #expect(kind(try order("job=a&state=ok", methods: imports)) == .forbidden)
  }

  @Test("says the end alone where the run is known, once, and with the same key")
  func known() throws {
    let isKnown = RequestOutcome.failed(.refused(.inBatch(index: 2, .exists(field: "run"))))
    var hook = Hook(try order("job=a&run=7&state=ok").get())
    let first = try #require(command(hook.begin()))
    let second = try #require(command(hook.finished(isKnown)))
    #expect(first.key == second.key && first.command != second.command)
    #expect(kind(hook.finished(isKnown)) == .exists)
    var started = Hook(try order("job=a&run=7&state=started").get())
    #expect(command(started.begin()) != nil)
    #expect(kind(started.finished(isKnown)) == .exists)
  }

  @Test("is asked for in every way in which it may have been said before, where its key is used")
  func again() throws {
    let isUsed = RequestOutcome.failed(.refused(.keyReused))
    for (body, isKnown, count) in [
      ("title=x", false, 1), ("job=a&run=7&state=ok", false, 2), ("job=a&run=7&state=ok", true, 4),
      ("job=a&run=7&state=started", true, 2), ("id=7&title=x", true, 1),
    ] {
      var hook = Hook(try order(body, isKnown: isKnown).get())
      var commands = [try #require(command(hook.begin()))]
      while let next = command(hook.finished(isUsed)) { commands.append(next) }
      #expect(commands.count == count && Set(commands.map(\.canonical)).count == count)
      #expect(Set(commands.map(\.key)).count == 1)
      #expect(kind(hook.finished(isUsed)) == .keyReused)
    }
  }

  @Test("tells what is in the way, in its own words")
  func refused() throws {
    var hook = Hook(try order("job=a&state=ok").get())
    _ = hook.begin()
    let step = hook.finished(.failed(.refused(.inBatch(index: 2, .gone("post")))))
    #expect(step == .answer(.refused(.refused(.gone("post")))))
    var unknown = Hook(try order("title=x").get())
    _ = unknown.begin()
    #expect(kind(unknown.finished(.failed(.unknownOutcome))) == .unknownOutcome)
  }
}
