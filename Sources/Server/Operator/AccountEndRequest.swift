// Ends an account because the operator says so. Only the server writes to the database, so the command leaves an empty
// file in the folder, whose name says everything. The server removes the file when it has done so, or at its next
// start.

internal import Domain
internal import Glibc
internal import Net
internal import Store
internal import Sync

/// The file that asks for the end of an account.
struct AccountEndRequest: Equatable {
  let user: UserID
  let days: Int

  static let prefix = "end-account."

  init(user: UserID, days: Int) {
    self.user = user
    self.days = days
  }

  var name: String { "\(AccountEndRequest.prefix)\(user).\(days)" }

  /// Reads a file's name. Nil for the name of another file.
  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let id = UUID(String(parts[1])), let days = Int(parts[2]) else {
      return nil
    }
    self.init(user: UserID(id), days: days)
    guard self.name == name, AccountEndRequest.days.contains(days) else { return nil }
  }

  static let days = 0...365
}

extension OperatorCommands {
  /// Leaves the file. Returns a sentence that says what happens then.
  package static func deleteUser(
    dataFolder: String, username: String, days: Int
  ) throws(OperatorError) -> String {
    let request = AccountEndRequest(user: try user(called: username, in: dataFolder), days: days)
    try leave(request.name, in: dataFolder)
    let end = days == 0 ? "ends at once" : days == 1 ? "ends in a day" : "ends in \(days) days"
    return "the account of \(username) \(end), when the server runs"
  }

  /// Leaves an empty file of this name, which a running server finds.
  static func leave(_ name: String, in dataFolder: String) throws(OperatorError) {
    let path = dataFolder + "/" + name
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, fsync(descriptor) == 0, close(descriptor) == 0 else {
      throw OperatorError(description: "\(path) cannot be made (error \(errno)).")
    }
  }

  static func user(
    called username: String, in folder: String
  ) throws(OperatorError) -> UserID {
    let store = try open(folder)
    do throws(StoreError) {
      if let account = try store.account(username: username) { return account.id }
    } catch {
      throw OperatorError(description: "\(folder): \(error.fault.detail).")
    }
    throw OperatorError(description: "\(folder): nobody is called \(username).")
  }
}
