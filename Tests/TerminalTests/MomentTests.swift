import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

private let list = StreamID.category(Demo.groceries)
private let here = EphemeralRequest.presence(list, isHere: true)
private let left = EphemeralRequest.presence(list, isHere: false)
private let typing = EphemeralRequest.typing(Demo.groceries, nil, isTyping: true)
private let stopped = EphemeralRequest.typing(Demo.groceries, nil, isTyping: false)

@Suite("protocol §5.5: a chat says what its person does")
struct AttentionTests {
  private struct AttentionFixture {
    var attention = Attention()
    mutating func due(
      _ text: String? = "", in list: CategoryID? = Demo.groceries, live: Bool = true, at now: Int64
    ) -> [EphemeralRequest] {
      attention.due(in: list, typing: text, isLive: live, now: now)
    }
  }

  @Test("Here is said at once, and again every half minute")
  func presence() {
    var fixture = AttentionFixture()
    #expect(fixture.due(at: 0) == [here])
    #expect(fixture.due(at: 29_999) == [])
    #expect(fixture.attention.wait(now: 29_999) == 1)
    #expect(fixture.due(at: 30_000) == [here])
  }

  @Test("Another list: the one before is left, and the typing there is over")
  func another() {
    var fixture = AttentionFixture()
    _ = fixture.due("oat", at: 0)
    #expect(
      fixture.due(in: Demo.bigShop, at: 5)
        == [stopped, left, .presence(.category(Demo.bigShop), isHere: true)])
    #expect(fixture.due(in: nil, at: 6) == [.presence(.category(Demo.bigShop), isHere: false)])
    #expect(fixture.attention.wait(now: 6) == nil)
  }

  @Test("Typing is said every three seconds while the text changes, and is over with the line")
  func typed() {
    var fixture = AttentionFixture()
    #expect(fixture.due("o", at: 0) == [here, typing])
    #expect(fixture.due("oa", at: 1_000) == [])
    #expect(fixture.due("oat", at: 3_000) == [typing])
    #expect(fixture.due("oat", at: 9_000) == [])
    #expect(fixture.due("", at: 9_100) == [stopped])
    #expect(fixture.due("", at: 9_200) == [])
    #expect(fixture.due("m", at: 9_300) == [typing])
    #expect(fixture.due(nil, at: 9_400) == [stopped])
  }

  @Test("Without a connection nothing is said, and all of it again after it")
  func offline() {
    var fixture = AttentionFixture()
    _ = fixture.due("oat", at: 0)
    #expect(fixture.due("oat", live: false, at: 10) == [])
    #expect(fixture.attention.wait(now: 10) == nil)
    #expect(fixture.due("oat", at: 20) == [here, typing])
  }
}

@Suite("The row being typed: it shows what holds for a moment")
struct MomentPhraseTests {
  private func situation(_ sets: [EphemeralSet]) -> Situation {
    var situation = Demo.situation()
    for set in sets {
      situation.ephemerals[EphemeralTopic(stream: set.stream, kind: set.kind)] = set
    }
    return situation
  }

  private func set(_ kind: EphemeralKind, _ users: [UserID]) -> EphemeralSet {
    EphemeralSet(
      stream: list, kind: kind, count: users.count, entries: users.map { EphemeralEntry(user: $0) })
  }

  private func progress(
    _ number: UInt64, _ done: Int, of: Int = 100, _ text: String? = nil
  ) -> EphemeralSet {
    let entry = EphemeralEntry(
      user: Demo.editor, post: PostID(UUID(high: 4, low: number)),
      progress: Progress(done: done, of: of, text: text))
    return EphemeralSet(stream: list, kind: .progress, count: 1, entries: [entry])
  }

  @Test("Others only: who is typing before who is here")
  func people() {
    let (me, editor) = (Demo.author, Demo.editor)
    #expect(MomentPhrase.of(situation([])) == nil)
    #expect(MomentPhrase.of(situation([set(.presence, [me])])) == nil)
    #expect(MomentPhrase.of(situation([set(.presence, [me, editor])])) == "@editor is here")
    let guest = UserID(UUID(high: 1, low: 9).asLinkGuest)
    #expect(MomentPhrase.of(situation([set(.presence, [me, guest])])) == "a guest is here")
    let both = [set(.presence, [me, editor]), set(.typing, [me, editor])]
    #expect(MomentPhrase.of(situation(both)) == "@editor is typing")
    let many = (10..<14).map { UserID(UUID(high: 1, low: $0)) }
    #expect(MomentPhrase.of(situation([set(.presence, many)])) == "4 are here")
    let crowd = EphemeralSet(stream: list, kind: .presence, count: 60, entries: nil)
    #expect(MomentPhrase.of(situation([crowd])) == "60 are here")
  }

  @Test("How far a bot is, of a post that is open")
  func bots() {
    #expect(MomentPhrase.of(situation([progress(1, 3, of: 8)])) == "#1 37 %")
    let words = MomentPhrase.of(situation([progress(1, 40, "compiling the whole of the kernel")]))
    #expect(words == "#1 40 % compiling the whole of …")
    #expect(MomentPhrase.of(situation([progress(99, 40)])) == nil)
  }

  @Test("Nothing that holds in another list is shown")
  func elsewhere() {
    let other = EphemeralSet(
      stream: .category(Demo.bigShop), kind: .typing, count: 1,
      entries: [EphemeralEntry(user: Demo.editor)])
    #expect(MomentPhrase.of(situation([other])) == nil)
  }
}
