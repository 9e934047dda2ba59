// Gives a bot an owner because the operator says so, wherever the bot is and the owner is not. It is meant for a bot
// that has a password. The command leaves a file, as that for the end of an account does (AccountEndRequest.swift).

internal import Domain
internal import Store
internal import Sync

/// The file that asks for an owner.
struct BotOwnerRequest: Equatable {
  let bot: UserID
  let owner: UserID

  static let prefix = "own-bot."

  init(bot: UserID, owner: UserID) {
    self.bot = bot
    self.owner = owner
  }

  var name: String { "\(BotOwnerRequest.prefix)\(bot).\(owner)" }

  /// Reads a file's name. Nil for the name of another file.
  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bot = UUID(String(parts[1])), let owner = UUID(String(parts[2]))
    else { return nil }
    self.init(bot: UserID(bot), owner: UserID(owner))
    guard self.name == name else { return nil }
  }
}

extension OperatorCommands {
  /// Leaves the file. Returns a sentence that says what happens then.
  package static func giveBot(
    dataFolder: String, bot: String, owner: String
  ) throws(OperatorError) -> String {
    let request = BotOwnerRequest(
      bot: try user(called: bot, in: dataFolder), owner: try user(called: owner, in: dataFolder))
    let store = try open(dataFolder)
    guard let given = try profile(of: request.bot, in: store, dataFolder), given.kind == .bot else {
      throw OperatorError(description: "\(bot) is no bot.")
    }
    guard let heir = try profile(of: request.owner, in: store, dataFolder), heir.kind == .person
    else { throw OperatorError(description: "\(owner) is a bot, and a bot owns none.") }
    guard !heir.isGuest else {
      throw OperatorError(description: "\(owner) is a guest, and a guest owns no bot.")
    }
    try leave(request.name, in: dataFolder)
    return "\(owner) owns the bot \(bot), when the server runs"
  }

  private static func profile(
    of user: UserID, in store: SQLiteStore, _ folder: String
  ) throws(OperatorError) -> Profile? {
    do throws(StoreError) {
      let key = ObjectKey(kind: .profile, id: user.uuid)
      guard let body = try store.object(key, in: .user(user)),
        case .profile(let profile) = try store.decoded(body)
      else { return nil }
      return profile
    } catch {
      throw OperatorError(description: "\(folder): \(error.fault.detail).")
    }
  }
}
