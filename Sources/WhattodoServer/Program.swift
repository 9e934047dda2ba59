// whattodo-server: serves, and the operator's commands beside it. Standard output has what was asked for
// and nothing else; everything for people goes to standard error.
//
// Exit status: 0 done, 1 it could not be done, 2 the arguments are wrong.

import Glibc
import Server

@main
enum Program {
  static func main() {
    do throws(UsageError) {
      let arguments = Array(CommandLine.arguments.dropFirst())
      let invocation = try Invocation(arguments, environment: environment())
      exit(run(invocation))
    } catch {
      complain(error.description)
      exit(2)
    }
  }

  private static func run(_ invocation: Invocation) -> Int32 {
    do {
      switch invocation {
      case .serve(let options): try serve(options)
      case .verify(let folder):
        let report = try OperatorCommands.verify(dataFolder: folder)
        say(report.text)
        return report.isSound ? 0 : 1
      case .backup(let folder, let destination, let withSecret):
        try OperatorCommands.backup(dataFolder: folder, to: destination, withSecret: withSecret)
      case .restore(let backup, let folder, let replacing, let closingSessions):
        say(
          try OperatorCommands.restore(
            backup, dataFolder: folder, replacing: replacing, closingSessions: closingSessions))
      case .invite(let folder, let days):
        say(try OperatorCommands.invite(dataFolder: folder, days: days))
      case .confirmClock(let folder): try OperatorCommands.confirmClock(dataFolder: folder)
      case .newSecret(let folder): say(try OperatorCommands.newSecret(dataFolder: folder))
      case .resetUser(let folder, let username):
        say(try OperatorCommands.recoveryCode(dataFolder: folder, username: username))
      case .deleteUser(let folder, let username, let days):
        say(
          try OperatorCommands.deleteUser(dataFolder: folder, username: username, days: days))
      case .giveBot(let folder, let bot, let owner):
        say(try OperatorCommands.giveBot(dataFolder: folder, bot: bot, owner: owner))
      case .ownGroup(let folder, let group, let username, let days):
        say(
          try OperatorCommands.ownershipCode(
            dataFolder: folder, group: group, username: username, days: days))
      case .manual: say(Invocation.manualPage)
      case .help: say(Invocation.usage)
      case .version: say("whattodo-server \(Server.version)")
      }
      return 0
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private static func serve(_ options: ServerOptions) throws(ServerError) {
    let server = try Server(options)
    say("ready " + server.urls.joined(separator: " "))
    server.wait()
  }

  private static func say(_ text: String) { put(text + "\n", STDOUT_FILENO) }

  private static func complain(_ sentence: String) {
    put("whattodo-server: \(sentence)\n", STDERR_FILENO)
  }

  private static func put(_ text: String, _ descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      // Whoever was to read it is gone.
      if written <= 0 { return }
      bytes = bytes.dropFirst(written)
    }
  }

  private static func environment() -> [String: String] {
    var found: [String: String] = [:]
    for name in Invocation.variables.map(\.name) {
      if let value = getenv(name) { found[name] = String(cString: value) }
    }
    return found
  }
}
