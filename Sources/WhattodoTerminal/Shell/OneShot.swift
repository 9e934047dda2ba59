// Commands for a script: connect, become level, ask, tell, leave. Nothing stays half done. Either a command is
// answered, or the exit code says that its outcome is not known (3), and then the same line may be given again.

import Client
import Domain
import Glibc
import Screen
import Sync
import Text
import Wire

/// The program `whattodo do '…' [--json]`. With `-` it reads commands from standard input, one a line.
struct OneShot {
  /// The time that a command waits for its connection, long enough for a server that restarts.
  static let connectPatience = 8_000
  /// The time that it waits for each answer.
  static let patience = 15_000

  private let signIn: SignIn
  private let json: Bool
  /// Whether the person means a time that comes after one done a moment ago.
  private let again: Bool
  /// Whether all lines of standard input are one change.
  private let batch: Bool
  /// The number of the line of standard input, from 1. Nil for a command that stands among the arguments.
  private var lineNumber: Int?
  /// The line of each command of the one change that all lines are.
  private var linesOfBatch: [Int] = []

  init(_ options: Options, json: Bool, again: Bool, batch: Bool) throws(ClientError) {
    signIn = try SignIn(options)
    self.json = json
    self.again = again
    self.batch = batch
  }

  /// Runs the command, or all of standard input for `-`.
  func run(_ line: String) throws(ClientError) -> ExitCode {
    var connection = Connection()
    defer { connection.client?.close() }
    guard line == "-" else { return try run(line, over: &connection) }
    return batch ? try runBatch(over: &connection) : try runLines(over: &connection)
  }

  /// Runs the lines of standard input one after the other, over one connection. Blank lines are left out. The first
  /// line that fails ends it, and its exit code is that of the program: the lines behind it may rest on it.
  private func runLines(over connection: inout Connection) throws(ClientError) -> ExitCode {
    var numbered = self
    var input = InputLines()
    while true {
      switch numbered.next(&input) {
      case .made(let line?):
        let code = try numbered.run(line, over: &connection)
        guard code == .done else { return code }
      case .made(nil): return .done
      case .failed(let code): return code
      }
    }
  }

  /// Something that is needed, or the exit code of a failure that was told.
  private enum Outcome<Value> {
    case made(Value)
    case failed(ExitCode)
  }

  /// Reads the next line that is not blank, and keeps its number; nil at the end.
  private mutating func next(_ input: inout InputLines) -> Outcome<String?> {
    while true {
      lineNumber = (lineNumber ?? 0) + 1
      do throws(InputLines.Failure) {
        guard let line = try input.next() else { return .made(nil) }
        if line.contains(where: { !$0.isWhitespace }) { return .made(line) }
      } catch {
        return .failed(fail("usage", sentence(error), .usage))
      }
    }
  }

  private func sentence(_ failure: InputLines.Failure) -> String {
    switch failure {
    case .tooLong: "a line may have \(InputLines.bytesMax / 1024) KiB"
    case .unreadable(let code): "standard input cannot be read: \(String(cString: strerror(code)))"
    }
  }

  private func run(
    _ line: String, over connection: inout Connection
  ) throws(ClientError) -> ExitCode {
    switch action(of: line) {
    case .made(let action): try run(action, line, over: &connection)
    case .failed(let code): code
    }
  }

  private func action(of line: String) -> Outcome<Action> {
    guard !Text.heapsMarks(line) else {
      return .failed(fail("usage", "more than 30 combining marks in a row", .usage))
    }
    switch Input(script: line) {
    case .unknown(""), .nothing:
      return .failed(fail("usage", "there is nothing to do", .usage))
    case .unknown(let name):
      let near = CommandTable.suggestion(for: name, slash: false)
      return .failed(fail("usage", "there is no command \(name)\(near ?? "")", .usage))
    case .wrong(let usage): return .failed(fail("usage", usage.sentence(slash: false), .usage))
    case .action(let action): return .made(action)
    }
  }

  /// The connection that several lines share. It is made when the first of them needs it.
  private struct Connection { var client: Client? }

  private func run(
    _ action: Action, _ line: String, over connection: inout Connection
  ) throws(ClientError) -> ExitCode {
    if case .program(.help(let name)) = action { return help(name) }
    switch try client(over: &connection) {
    case .failed(let code): return code
    case .made(let client):
      do throws(ClientError) {
        return try run(action, line, by: client)
      } catch {
        return fail(error)
      }
    }
  }

  private func client(
    over connection: inout Connection
  ) throws(ClientError) -> Outcome<Client> {
    if let open = connection.client { return .made(open) }
    guard let session = try signIn.session() else {
      let sentence = "not signed in: whattodo login NAME --password-stdin"
      return .failed(fail("unauthenticated", sentence, .notSignedIn))
    }
    let client = try signIn.client(token: session.token)
    connection.client = client
    return .made(client)
  }

  /// Tells all commands, or the one with this name.
  private func help(_ name: String?) -> ExitCode {
    guard let name else {
      json ? Output.say(JSONOutput.help(CommandTable.entries)) : Output.say(HelpLines.all)
      return .done
    }
    let bare = name.hasPrefix("/") ? String(name.dropFirst()) : name
    if let topic = HelpTopic(bare, locale: "") {
      json ? Output.say(JSONOutput.help(topic)) : Output.say(topic.lines)
      return .done
    }
    guard let entry = CommandTable.entry(named: bare) else {
      let near = CommandTable.suggestion(for: bare, slash: false)
      return fail("usage", "there is no command \(bare)\(near ?? "")", .usage)
    }
    json ? Output.say(JSONOutput.help([entry])) : Output.say(HelpLines.one(name))
    return .done
  }

  private func run(
    _ action: Action, _ line: String, by client: Client
  ) throws(ClientError) -> ExitCode {
    guard client.waitUntilLevel(milliseconds: OneShot.connectPatience) else {
      // The session is over already: there is only something to delete.
      if case .ended(.signedOut) = client.standing, case .program(.logout) = action {
        try signIn.folder.deleteAll()
        return tell([Line("signed out")], [])
      }
      return try unconnected(client)
    }
    let planner = try self.planner(client)
    do throws(Problem) {
      switch try planner.plan(action) {
      case .send(let requests): return send(requests, planner, by: client)
      case .logout:
        return tell([try logout(client)], [])
      case .help, .open, .quit, .back, .password, .recover, .upgrade, .decide, .show(.unsent),
        .deleteAccount:
        return fail("usage", "that is for the chat only", .usage)
      case .show(let view): return show(view, planner.situation)
      }
    } catch {
      return fail(error, line, planner, by: client)
    }
  }

  private func unconnected(_ client: Client) throws(ClientError) -> ExitCode {
    if case .ended(let reason) = client.standing { throw .ended(reason) }
    if case .untrusted = client.obstacle, let obstacle = client.obstacle {
      throw .unconnected(obstacle)
    }
    return fail("unavailable", "no connection to \(signIn.server.url)", .noConnection)
  }

  private func planner(_ client: Client) throws(ClientError) -> Planner {
    Planner(situation: try situation(client), isMeant: again, trail: try trailFile.read())
  }

  private func fail(
    _ problem: Problem, _ line: String, _ planner: Planner, by client: Client
  ) -> ExitCode {
    switch problem.remedy {
    case nil: return fail("not_found", problem.sentence, .refused)
    case .times:
      let ways = Times.allCases.map { $0.said(in: line) }
      return fail("ask", "\(problem.sentence) \(ways.joined(separator: ", or "))", .unanswered)
    case .list: return fail("not_found", "it is not said which list is meant: #list", .refused)
    case .again: return fail("again", "\(problem.sentence) --again does", .doneJustNow)
    case .whereabouts(let number, let list):
      let planned = planner.whereabouts(of: number, in: list)
      do throws(ClientError) {
        guard
          case .history(.events(let page)) = try client.answer(
            to: planned.request, milliseconds: OneShot.patience)
        else { return fail("not_found", problem.sentence, .refused) }
        let sentence = HistoryLines.whereabouts(of: number, in: list, page, planner.situation)
        return fail("not_found", sentence, .refused)
      } catch {
        return fail(error)
      }
    }
  }

  /// Signs out, and says how. A token is only forgotten here, because no token ends itself.
  private func logout(_ client: Client) throws(Problem) -> Line {
    var line = Line("signed out")
    try attempt { () throws(ClientError) in
      do throws(ClientError) {
        try client.logout().wait(milliseconds: OneShot.patience)
      } catch {
        guard let advice = error.adviceAtLogout else { throw error }
        line = Line("\(advice)")
      }
      try signIn.folder.deleteAll()
    }
    return line
  }

  private func attempt(_ work: () throws(ClientError) -> Void) throws(Problem) {
    do throws(ClientError) { try work() } catch { throw Problem("\(error)") }
  }

  private var trailFile: TrailFile { TrailFile(folder: signIn.folder) }

  private func situation(_ client: Client) throws(ClientError) -> Situation {
    var situation = Situation()
    situation.read(client)
    if let text = try signIn.folder.openList(), case .category(let id) = StreamID(text) {
      situation.open = id
    }
    return situation
  }

  private func show(_ view: View, _ situation: Situation) -> ExitCode {
    if json {
      Output.say(JSONOutput.view(view, situation))
    } else {
      Output.say(view.lines(situation))
    }
    return .done
  }

  // MARK: One change of all lines

  /// Makes one change of all lines. Nothing is sent before every line is understood, and the server makes all of it or
  /// nothing. A line does not see what those before it do.
  private func runBatch(over connection: inout Connection) throws(ClientError) -> ExitCode {
    var numbered = self
    var input = InputLines()
    var lines: [(number: Int?, text: String, action: Action)] = []
    while true {
      switch numbered.next(&input) {
      case .failed(let code): return code
      case .made(nil):
        guard !lines.isEmpty else { return .done }
        switch try client(over: &connection) {
        case .failed(let code): return code
        case .made(let client): return try together(lines, by: client)
        }
      case .made(let text?):
        switch numbered.action(of: text) {
        case .failed(let code): return code
        case .made(let action): lines.append((numbered.lineNumber, text, action))
        }
      }
    }
  }

  private func together(
    _ lines: [(number: Int?, text: String, action: Action)], by client: Client
  ) throws(ClientError) -> ExitCode {
    do throws(ClientError) {
      guard client.waitUntilLevel(milliseconds: OneShot.connectPatience) else {
        return try unconnected(client)
      }
      var numbered = self
      let planner = try self.planner(client)
      var tags = NewTags()
      var changes: [PlannedChange] = []
      for line in lines {
        numbered.lineNumber = line.number
        do throws(Problem) {
          for change in try planner.changes(of: line.action) {
            guard let command = tags.sharing(change.command) else { continue }
            changes.append(PlannedChange(command, change.report.made, same: change.report.same))
            numbered.linesOfBatch.append(line.number ?? 0)
          }
        } catch {
          return numbered.fail(error, line.text, planner, by: client)
        }
      }
      numbered.lineNumber = nil
      do throws(Problem) {
        return numbered.send([try planner.together(changes)], planner, by: client)
      } catch {
        return numbered.fail("too_large", error.sentence, .refused)
      }
    } catch {
      return fail(error)
    }
  }

  // MARK: Requests

  private func send(_ requests: [PlannedRequest], _ planner: Planner, by client: Client) -> ExitCode
  {
    var lines: [Line] = []
    var results: [(Report, ReplicaAnswer)] = []
    var notes: [ChangeNote] = []
    var notices: [Phrase] = []
    var queue = requests[...]
    var planner = planner
    while let planned = queue.popFirst() {
      do throws(ClientError) {
        let before = planner.situation
        try trailFile.note(planned, in: before)
        let answer = try client.answer(to: planned.request, milliseconds: OneShot.patience)
        try trailFile.noteMade(planned.request, answer, before: before)
        planner = Planner(situation: try situation(client), trail: planner.trail)
        if let more = try followUp(planner, planned.report, answer) {
          queue = more[...] + queue
          continue
        }
        results.append((planned.report, answer))
        notices += planned.notices.map(\.phrase).filter { !notices.contains($0) }
        let outcome = PostEnds(of: planned.request, by: client.user, in: client.takeNews())
        if case .command(let result) = answer {
          notes += ChangeNote.of(planned.request, result, outcome.ends, in: planner.situation)
        }
        lines += AnswerLines.lines(
          outcome.told(in: planned.report, planner.situation), answer, planner.situation,
          chat: false
        )
      } catch {
        if !json { Output.say(lines) }
        let code = fail(error, of: planned)
        advise(planned, error, planner.situation)
        if !json, let leftover = planned.report.leftover { Output.complain("\(leftover)") }
        return code
      }
    }
    for notice in notices { Output.complain(notice) }
    return tell(lines, results, notes, planner.situation)
  }

  private func followUp(
    _ planner: Planner, _ report: Report, _ answer: ReplicaAnswer
  ) throws(ClientError) -> [PlannedRequest]? {
    do throws(Problem) {
      return try planner.followUp(report, answer)
    } catch {
      throw .refused(
        ServerError(
          kind: .notFound, code: ErrorKind.notFound.code, retry: .no, sentence: error.sentence))
    }
  }

  // MARK: Telling

  /// Prints the answers. `notes` has one for each change. The situation is the one after all changes.
  private func tell(
    _ lines: [Line], _ results: [(Report, ReplicaAnswer)], _ notes: [ChangeNote] = [],
    _ situation: Situation = Situation()
  ) -> ExitCode {
    if json {
      Output.say(
        JSONOutput.answers(results, from: signIn.server, noting: notes, in: situation))
    } else {
      Output.say(lines)
    }
    return .done
  }

  /// Prints advice for people; with `--json` a script has the kind of the error instead.
  private func advise(_ planned: PlannedRequest, _ error: ClientError, _ situation: Situation) {
    guard !json, case .command(let command, key: _, base: _) = planned.request,
      case .refused(let reason) = error,
      let advice = UnsentLines.advice(command, reason, situation)
    else { return }
    Output.complain("\(advice)")
  }

  private func fail(_ error: ClientError, of planned: PlannedRequest? = nil) -> ExitCode {
    switch error {
    case .refused(let refusal):
      numbered(by: refusal)
        .fail(refusal.kind?.rawValue ?? "refused", sentence(refusal, planned), ExitCode(error))
    case .ended(.signedOut): fail("unauthenticated", "\(error)", ExitCode(error))
    case .lost, .unconnected, .ended(.rejected(_)), .ended(.unreadable), .timedOut, .address,
      .authorities, .machine, .folder, .queueFull:
      fail("unavailable", "\(error)", ExitCode(error))
    }
  }

  /// Returns the line that was refused, when all lines are one change.
  private func numbered(by refusal: ServerError) -> OneShot {
    guard let index = refusal.index, index < linesOfBatch.count else { return self }
    var numbered = self
    numbered.lineNumber = linesOfBatch[index]
    return numbered
  }

  private func sentence(_ refusal: ServerError, _ planned: PlannedRequest?) -> String {
    guard case .command(let command, key: _, base: _) = planned?.request else {
      return refusal.sentence
    }
    return refusal.sentence(about: command, isOfLines: !linesOfBatch.isEmpty)
  }

  private func fail(_ kind: String, _ sentence: String, _ code: ExitCode) -> ExitCode {
    let sentence = CommandTable.withoutSlashes(sentence)
    if json {
      Output.say(JSONOutput.failure(kind: kind, sentence: sentence, line: lineNumber))
    } else {
      Output.complain("whattodo: \(lineNumber.map { "line \($0): " } ?? "")\(sentence)")
    }
    return code
  }
}

extension View {
  func lines(_ situation: Situation) -> [Line] {
    switch self {
    case .lists: ListLines.overview(situation)
    case .groups: ListLines.groups(situation)
    case .group(let group): ListLines.group(group, situation)
    case .posts(let list, let done): ListLines.posts(of: list, done: done, situation)
    case .post(let post, let list): ListLines.post(post, of: list, situation)
    case .value(let value): ValueLines.lines(value, situation)
    case .tags(let list): ListLines.tags(of: list, situation)
    case .talk(let place, let post): TalkLines.lines(of: place, about: post, situation)
    case .line(let line, let place): TalkLines.line(line, in: place.stream, situation)
    case .unsent: UnsentLines.all(situation)
    case .blocks: ListLines.blocks(situation)
    case .archived: ListLines.archived(situation)
    case .filters: ListLines.filters(situation)
    case .settings: PersonalLines.settings(situation)
    case .levels: LevelLines.all(situation)
    case .account: AccountLines.lines(situation)
    }
  }
}
