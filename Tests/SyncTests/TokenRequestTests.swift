import Domain
import MethodSamples
import Testing
import Wire

@testable import Sync

@Suite("protocol §5.12: requests by a token") struct TokenRequestTests {
  private static let list = Household.list
  private static let other = Household.ownList

  private static func token(
    lists: Set<CategoryID>? = nil, methods: Set<Method>? = nil
  ) -> Token {
    Token(
      id: TokenID(UUID(high: 1, low: 1)), lists: lists, methods: methods,
      endsAt: Timestamp(milliseconds: .max))
  }

  /// Returns the words of the refusal of a request by a token; nil when it is allowed.
  private func refusal(_ request: Request, _ method: Method, by token: Token) -> String? {
    let envelope = RequestEnvelope(
      id: .number(1), method: method, request: request, canonical: [])
    guard case .refused(.forbidden(let reason)) = envelope.failure(by: token, of: Household.sender)
    else { return nil }
    return reason
  }

  private func refusal(_ command: Command, by token: Token) throws -> String? {
    let key = try #require(CommandKey("k"))
    return refusal(.command(command, key: key, base: nil), command.method, by: token)
  }

  @Test("a method that no token may call is refused by its name", arguments: Method.allCases)
  func closed(_ method: Method) {
    let reason = refusal(.ping, method, by: Self.token())
    #expect(reason == (method.row.isOpenToTokens ? nil : "no token may call \(method.name)"))
  }

  @Test("a token with methods allows these alone, and those of the connection")
  func methods() throws {
    let token = Self.token(methods: [.post(.add), .query(.posts)])
    let add = Command.post(.add(Self.list, Household.newPost, title: "new", notes: ""))
    let remove = Command.removePost(Self.list, Household.open, ifVersion: nil)
    #expect(try refusal(add, by: token) == nil)
    #expect(try refusal(remove, by: token) == "this token does not allow post.remove")
    #expect(try refusal(.batch([add, add]), by: token) == nil)
    #expect(
      try refusal(.batch([add, remove]), by: token) == "this token does not allow post.remove")
    #expect(refusal(.ping, .connection(.ping), by: token) == nil)
    #expect(refusal(.close([]), .connection(.close), by: token) == nil)
    #expect(
      refusal(.query(.profile), .query(.profile), by: token)
        == "this token does not allow profile.get")
  }

  @Test(
    "a token with lists allows no command whose key belongs elsewhere", arguments: MethodSample.all)
  func commands(_ sample: MethodSample) throws {
    guard sample.method.row.isOpenToTokens, sample.method.row.kind == .change else { return }
    let reason = try refusal(sample.command, by: Self.token(lists: [Self.list]))
    let isHere = sample.home == .category(Self.list)
    let isWhole: Bool =
      if case .batch(let commands) = sample.command {
        commands.allSatisfy { $0.home(of: Household.sender) == .category(Self.list) }
      } else if case .post(.change(_, .moveTo(let list), ifVersion: _)) = sample.command {
        isHere && list == Self.list
      } else {
        isHere
      }
    #expect(reason == (isWhole ? nil : "this token is for other lists"))
  }

  @Test("a token with lists allows only queries about one of them")
  func queries() {
    let token = Self.token(lists: [Self.list])
    func asked(_ query: Query) -> Bool {
      refusal(.query(query), .query(.posts), by: token) == nil
    }
    func posts(_ list: CategoryID) -> Query {
      .posts(PostsQuery(category: list, show: .open, before: nil, limit: 1))
    }
    #expect(asked(posts(Self.list)) && !asked(posts(Self.other)))
    #expect(asked(.members(.category(Self.list))) && !asked(.members(.group(Household.group))))
    #expect(!asked(.profile) && !asked(.badges(BadgesQuery())) && !asked(.export(nil)))
    #expect(!asked(.notifications(limit: 1)) && !asked(.removedCategories))
    let here = EphemeralRequest.presence(.category(Self.list), isHere: true)
    let there = EphemeralRequest.presence(.category(Self.other), isHere: true)
    #expect(refusal(.ephemeral(here), .moment(.presence), by: token) == nil)
    #expect(refusal(.ephemeral(there), .moment(.presence), by: token) != nil)
  }

  @Test("a token with lists writes nothing elsewhere, whatever the command is about")
  func ledger() throws {
    var bench = LedgerBench.house()
    let session = bench.openSession(of: Self.token())
    bench.must(.category(.add(8, name: "Here", group: nil)), by: "a")
    bench.must(.category(.add(9, name: "There", group: nil)), by: "a")
    bench.must(.post(.add(8, 5, title: "Milk", notes: "")), by: "a")
    let commands: [Command] = [
      .movePost(8, 5, to: 9), .post(.change(8, 5, .copy(as: 6, to: 9))),
    ]
    for (index, command) in commands.enumerated() {
      let limited = Actor(user: "a", session: session, token: Self.token(lists: [8]))
      let submission = Submission(
        actor: limited, command: command, key: try #require(CommandKey("t\(index)")), hash: [1])
      #expect(
        bench.settle(submission).0 == .failure(.forbidden("this token is for other lists")))
      #expect(bench.ledger.staged.isEmpty)
      let free = Submission(
        actor: Actor(user: "a", session: session, token: Self.token()), command: command,
        key: try #require(CommandKey("f\(index)")), hash: [1])
      #expect(try bench.settle(free).0.get().changed)
      bench.ledger.rolledBack(forget: false)
    }
  }
}
