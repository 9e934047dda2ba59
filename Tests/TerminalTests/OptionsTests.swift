import Testing

@testable import WhattodoTerminal

@Suite("command line")
struct OptionsTests {
  static let rows: [([String], Options.Task)] = [
    ([], .chat), (["do", "add milk"], .perform("add milk", json: false)),
    (["do", "add", "milk", "--json"], .perform("add milk", json: true)),
    (["do", "done", "1", "--again"], .perform("done 1", json: false, again: true)),
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
  ]

  @Test("arguments become a task", arguments: rows)
  func task(arguments: [String], task: Options.Task) throws {
    #expect(try Options(arguments).task == task)
  }

  @Test(
    "wrong arguments are told",
    arguments: [
      ["do"], ["login", "author"], ["login", "--password-stdin"], ["--server"], ["--wat"], ["milk"],
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
