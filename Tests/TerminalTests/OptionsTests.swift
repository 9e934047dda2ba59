import Testing

@testable import WhattodoTerminal

@Suite("command line")
struct OptionsTests {
  static let rows: [([String], Options.Task)] = [
    ([], .chat), (["do", "add milk"], .perform("add milk", json: false)),
    (["do", "add", "milk", "--json"], .perform("add milk", json: true)),
    (["do", "done", "1", "--again"], .perform("done 1", json: false, again: true)),
    (["do", "-", "--batch"], .perform("-", json: false, batch: true)),
    (["login", "author", "--password-stdin"], .login("author")),
    (
      ["register", "author", "--password-stdin", "--code", "X"],
      .register("author", code: "X", isBot: false)
    ),
    (
      ["register", "ci", "--password-stdin", "--bot"], .register("ci", code: nil, isBot: true)
    ),
    (["upgrade", "lima", "--password-stdin"], .upgrade("lima", code: nil)),
    (["upgrade", "lima", "--password-stdin", "--code", "X"], .upgrade("lima", code: "X")),
    (["--help"], .help), (["do", "-h"], .help), (["--version"], .version),
    (["--glance"], .perform("glance", json: false)),
    (["--json", "--glance"], .perform("glance", json: true)),
    (["completion", "zsh"], .completion(.zsh)),
    (["complete", "--", "--server", ""], .complete(["--server", ""])),
    (["complete", "--"], .complete([])),
  ]

  @Test("arguments become a task", arguments: rows)
  func task(arguments: [String], task: Options.Task) throws {
    #expect(try Options(arguments).task == task)
  }

  @Test(
    "wrong arguments are told",
    arguments: [
      ["do"], ["login", "author"], ["login", "--password-stdin"], ["--server"], ["--wat"], ["milk"],
      ["completion"], ["completion", "csh"], ["completion", "bash", "zsh"], ["complete"],
    ])
  func wrong(arguments: [String]) {
    #expect(throws: Problem.self) { try Options(arguments) }
  }

  @Test("server and state are taken from anywhere")
  func anywhere() throws {
    let options = try Options(["do", "--state", "s", "lists", "--server", "ws://h:1/ws"])
    #expect(options.state == "s")
    #expect(options.server == "ws://h:1/ws")
    #expect(options.task == .perform("lists", json: false))
  }

  @Test("the authorities to trust: the option, else the environment")
  func authorities() throws {
    let environment = ["WHATTODO_CA_FILE": "e.pem"]
    #expect(try Options(["--ca-file", "o.pem"], environment: environment).authorities == "o.pem")
    #expect(try Options([], environment: environment).authorities == "e.pem")
    #expect(try Options([], environment: ["WHATTODO_CA_FILE": ""]).authorities == nil)
    #expect(try Options([]).authorities == nil)
    #expect(try Options(["--insecure-plaintext"]).allowsPlaintext)
  }
}

@Suite("terminal: completion in shells")
struct ShellCompletionTests {
  static let rows: [([String], [String])] = [
    ([], Options.tasks), ([""], Options.tasks), (["lo"], ["login"]), (["x"], []),
    (["--j"], ["--json"]), (["do", "--ag"], ["--again"]), (["do", "dig"], ["digest"]),
    (["--server", "ws://h:1/ws", "do", "sc"], ["score"]), (["do", "--json", "sc"], ["score"]),
    (["do", "'sc"], ["score"]), (["do", "\"sc"], ["score"]), (["--ca-file", "l"], []),
    (["--state", "do", "lo"], ["login"]),
    // Only a chat opens a list.
    (["do", "op"], []), (["do", "done", "un"], []), (["login", "a"], []),
    (["completion", ""], ["bash", "fish", "zsh"]), (["completion", "bash", ""], []),
  ]

  @Test("The words that may stand at the end of a line", arguments: rows)
  func candidates(words: [String], expected: [String]) {
    #expect(ShellCompletion.candidates(words) == expected)
  }

  @Test("Every option and task that is completed is understood")
  func known() {
    #expect(Options.tasks == Options.tasks.sorted() && Options.names == Options.names.sorted())
    for name in Options.names {
      #expect(Options.help.contains(name))
      do throws(Problem) {
        _ = try Options([name, "a value"])
      } catch {
        #expect(!error.sentence.hasPrefix("there is no option"))
      }
    }
    for task in Options.tasks where task != "help" {
      #expect(Options.help.contains("whattodo \(task)"))
      do throws(Problem) {
        _ = try Options([task])
      } catch {
        #expect(!error.sentence.hasPrefix("there is no command"))
      }
    }
  }
}
