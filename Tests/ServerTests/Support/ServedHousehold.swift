import Domain
import Foundation
import MethodSamples
import Testing
import Wire

/// The household on a real server of its own. Its people send over sockets, with the ids of the samples.
/// The secrets that only a server makes (a code, a session) take the place of those in the samples.
struct ServedHousehold {
  let server: TestServer
  private var people: [UserID: Person] = [:]
  /// The codes of invitations and links, by their ids.
  private var codes: [String: String] = [:]
  private let password = "correct horse"

  init(_ doings: [Household.Doing] = Household.doings()) throws {
    server = try TestServer()
    for it in Household.people {
      people[it.id] = try server.join(
        it.username, id: it.id.description, streams: "none")
    }
    for doing in doings { try play(doing) }
  }

  func person(_ user: UserID) throws -> Person { try #require(people[user]) }

  /// Returns the code of the household's link.
  func linkCode() throws -> String { try #require(codes[Household.link.description]) }

  mutating func play(_ doing: Household.Doing) throws {
    let params = try params(of: doing.command)
    let answer = try person(doing.by).client.change(doing.command.method.name, params)
    if let code = answer["code"] as? String, let id = params["id"] as? String { codes[id] = code }
  }

  /// Returns the parameters with which a client asks for this.
  func params(of command: Command) throws -> [String: Any] {
    switch command {
    case .account(.changePassword): return ["old": password, "new": "battery staple"]
    case .account(.delete): return ["password": password]
    case .account(.closeSession):
      let sender = try person(Household.sender)
      let login = try server.connect().call(
        "account.login", ["username": sender.username, "password": password])
      return ["id": try #require(login["session"])]
    case .invitation(.redeem(let code)):
      guard case .invitation(let id, _) = code.opens else { return [:] }
      return ["code": try #require(codes[id.description])]
    default: return try encodedParams(of: command)
    }
  }

  private func encodedParams(of command: Command) throws -> [String: Any] {
    let key = try #require(CommandKey("k"))
    let bytes = Request.command(command, key: key).encoded(id: .number(1))
    let message = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    var params = try #require(message?["params"] as? [String: Any])
    params["key"] = nil
    return params
  }
}
