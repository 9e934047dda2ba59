import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("commands that there are not")
struct NearestCommandTests {
  static let near: [(String, String)] = [
    ("dnoe", "done"), ("doen", "done"), ("don", "done"), ("dont", "done"), ("hlep", "help"),
    ("lsit", "show"), ("udno", "undo"), ("qiut", "quit"), ("ivnite", "invite"),
    ("priv", "private"),
    ("delete", "rm"), ("ls", "show"), ("search", "find"), ("prority", "priority"),
    ("RENAEM", "rename"),
    ("asign", "assign"),
    ("return", "back"), ("bakc", "back"),
    ("reminder", "remind"), ("members", "who"), ("pri", "priority"),
  ]

  @Test("A wrong command names the nearest one", arguments: near)
  func nearest(typed: String, name: String) {
    #expect(CommandTable.nearest(to: typed)?.name == name)
  }

  @Test(
    "A word that is near to none names none",
    arguments: ["", "zzz", "qqqq", "banana", String(repeating: "done", count: 100)])
  func far(typed: String) { #expect(CommandTable.nearest(to: typed) == nil) }

  @Test("Every name from elsewhere stands for a command that there is")
  func others() {
    for (word, name) in CommandTable.otherNames {
      #expect(CommandTable.entry(named: name) != nil, "\(name)")
      #expect(CommandTable.entry(named: word) == nil, "\(word)")
    }
  }

  @Test("A number that no post of the open list has never opens another list")
  func show() throws {
    let view = { (line: String, situation: Situation) throws -> View? in
      guard case .action(let action) = Input(command: line),
        case .show(let view) = try Planner(situation: situation).plan(action)
      else { return nil }
      return view
    }
    guard case .post(let post, _)? = try view("show 1", Demo.situation()) else {
      Issue.record("the post of the open list")
      return
    }
    #expect(post.number == 1)
    // Big Shop has no post, and is list 1; groceries is list 2.
    let other = Demo.situation(open: Demo.bigShop)
    let bigShop = try other.list(nil)
    #expect(throws: Problem("there is no #2 in #Big-Shop", remedy: .whereabouts(of: 2, bigShop))) {
      try view("show 2", other)
    }
    guard case .posts(let list, done: false)? = try view("show 2", Demo.situation(open: nil))
    else {
      Issue.record("the list, where none is open")
      return
    }
    #expect(list.id == Demo.groceries)
  }

  @Test("That nothing waits in a queue is no missing post")
  func queue() {
    let refusal = ServerError(
      kind: .notFound, code: ErrorKind.notFound.code, retry: .no,
      sentence: "There is no such post.")
    let command = Command.post(.claimNext(Demo.groceries, milliseconds: 1))
    #expect(refusal.sentence(about: command) == ServerError.emptyQueue)
    #expect(!ServerError.emptyQueue.contains("no such post"))
  }

  @Test(
    "A sentence for a script names commands without a slash",
    arguments: [
      ("there is no code 3; /codes shows them", "there is no code 3; codes shows them"),
      (
        "several are there: /restore list 2, as /bin lists says",
        "several are there: restore list 2, as bin lists says"
      ),
      ("wait (/undo #chores) or not", "wait (undo #chores) or not"),
      // A path, a word that is no command, and a command that scripts do not have.
      (
        "no /lists/of 1/2 or /nothing, /open or and/or  /",
        "no /lists/of 1/2 or /nothing, /open or and/or  /"
      ),
    ])
  func unslashed(chat: String, script: String) {
    #expect(CommandTable.withoutSlashes(chat) == script)
  }
}
