import Client
import Glibc
import Screen
import Wire

/// The program `whattodo`: the chat, and its commands for scripts.
@main
struct Program {
  static func main() {
    // This never fails for a signal that exists. A closed pipe is then an error of the write.
    _ = signal(SIGPIPE, SIG_IGN)
    let options: Options
    do throws(Problem) {
      options = try Options(
        Array(CommandLine.arguments.dropFirst()), environment: environment())
    } catch {
      Output.complain("whattodo: \(error.sentence)")
      Output.complain("Try whattodo --help.")
      exit(ExitCode.usage.rawValue)
    }
    exit(run(options).rawValue)
  }

  private static func environment() -> [String: String] {
    let name = "WHATTODO_CA_FILE"
    return getenv(name).map { [name: String(cString: $0)] } ?? [:]
  }

  private static func run(_ options: Options) -> ExitCode {
    do throws(ClientError) {
      switch options.task {
      case .help:
        Output.say(Options.help)
        return .done
      case .version:
        Output.say("whattodo \(Release.version)")
        return .done
      case .completion(let shell):
        Output.say(shell.script)
        return .done
      case .manual:
        Output.say(ManPage.text)
        return .done
      case .complete(let words):
        Output.say(ShellCompletion.candidates(words).map { Line("\($0)") })
        return .done
      case .chat: return try ChatProgram(options).run()
      case .perform(let line, let json, let again, let batch):
        return try OneShot(options, json: json, again: again, batch: batch).run(line)
      case .register(let name, let code, let isBot):
        return try SignInScript(options).register(name, code: code, isBot: isBot)
      case .login(let name): return try SignInScript(options).login(name)
      case .loginByToken(let name): return try SignInScript(options).login(tokenOf: name)
      case .look(let code): return try LookProgram(options, code).run()
      case .guest: return try SignInScript(options).beginAsGuest()
      case .upgrade(let name, let code):
        return try SignInScript(options).upgrade(to: name, code: code)
      case .pair(let code): return try SignInScript(options).pair(code)
      }
    } catch {
      Output.complain("whattodo: \(error)")
      return ExitCode(error)
    }
  }
}
