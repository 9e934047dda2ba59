// The chat: one loop over keys and news. All state is here. `Lines` says how a line or an event looks, `Commands` what
// a line asks for, and `Planner` what it leads to.

import Client
import Domain
import Screen
import Sync
import Text
import Wire

/// A running chat. Owned by the main thread.
final class Chat {
  let terminal: Terminal
  let client: Client
  let folder: StateFolder
  let session: StateFolder.Session
  var situation = Situation()
  /// The file that keeps what is not sent; nil when it cannot be opened.
  let files: AccountFiles?
  /// The queued changes of this session, whose refusals come as `unsent`.
  var queued: Set<RequestTicket> = []
  /// The queued changes that were asked over the present connection.
  var live = LiveChanges()
  /// The reports of requests that are not answered yet.
  var reports: [RequestTicket: Report] = [:]
  /// A list that is opened as soon as its copy is there.
  var toOpen: CategoryID?
  var marks = MarkClock()
  private var attention = Attention()
  /// The deadlines of which the person may be reminded.
  var overdue = OverdueNews()
  var isLive = false
  var toldOffline: Disconnection?
  var hasGreeted = false
  var over: ExitCode?
  /// Whether an invitation was accepted while no list was open; then the first list that comes is opened.
  var opensNext = false
  /// The question at the prompt that is not answered.
  var question: Question?
  /// The sent commands, until it is known whether they were made. Then those that nothing takes back are noted in the
  /// trail.
  var unproven: [RequestTicket: (request: Request, before: Situation)] = [:]
  /// The lists whose newest events are known.
  var lookedBack: Set<CategoryID> = []
  /// The events that could not be undone.
  var stuck: Set<StreamPosition> = []
  /// Whether the person was told in which zone times are; that is said once when this device is in another zone.
  var hasToldZone = false
  /// Whether the person was warned that leaving drops something.
  var hasWarned = false
  /// Whether the line at the prompt was begun in a view of talk that is closed now.
  var holdsLine = false
  /// The line that was put back at the prompt last. It was meant as talk, and stays so until it is changed.
  var putBack = ""

  private var painter: Painter
  var editor = LineEditor()
  private var keys = KeyParser()
  private var bursts = Bursts()

  init(
    terminal: Terminal, client: Client, files: AccountFiles?, folder: StateFolder,
    session: StateFolder.Session
  ) {
    self.terminal = terminal
    self.client = client
    self.files = files
    self.folder = folder
    self.session = session
    painter = Painter(abilities: terminal.abilities, columns: Terminal.columns)
  }

  func run() throws(TerminalError) -> ExitCode {
    restoreOpenList()
    showKept()
    paint()
    while over == nil {
      let now = Uptime.milliseconds()
      let waits = [
        hasGreeted ? marks.wait : nil, attention.wait(now: now), overdue.wait(now: now),
        bursts.wait(now: now),
      ].compactMap(\.self)
      let patience = keys.isWaiting ? 50 : waits.min()
      let events = try terminal.wait(milliseconds: patience)
      if events.isEmpty { try press(keys.quiet()) }
      for event in events { try handle(event) }
      if !events.contains(where: \.isInput) {
        for burst in bursts.due(now: Uptime.milliseconds()) { try handle(burst) }
      }
      print(overdue.due(now: Uptime.milliseconds()))
      endLostTalk()
      if editor.isEmpty { holdsLine = false }
      sendDueMark()
      tellAttention()
      paint()
    }
    terminal.write(painter.finish())
    return over ?? .done
  }

  /// Prints lines above the line being typed.
  func print(_ lines: [Line]) { terminal.write(painter.print(lines)) }

  func print(_ line: Line) { print([line]) }

  /// Rings the bell of the terminal.
  func ring() { terminal.write([0x07]) }

  func complain(_ sentence: String) { print(Line("\(sentence)", .bad)) }

  /// Removes the bottom row for a question in the terminal's own mode.
  func clearRow() { terminal.write(painter.finish()) }

  private func paint() {
    terminal.write(painter.show(prompt: prompt, editor: editor))
  }

  private var prompt: Line {
    if let question { return Line(question.prompt, .warn) }
    guard let moment = MomentPhrase.of(situation) else { return prompt(saying: nil) }
    let whole = prompt(saying: moment)
    // The painter cuts a prompt that is wider, and with it the sign at its end.
    return whole.width <= Terminal.columns / 2 ? whole : prompt(saying: nil)
  }

  private func prompt(saying moment: String?) -> Line {
    var line = isLive ? Line("● ", .good) : Line("○ ", .bad)
    line = line.and(situation.placeAtPrompt)
    if let moment {
      line.add(" (\(Text.evenColumns(moment)))", .dim)
    }
    let elsewhere = situation.unread.filter { $0.key != situation.open.map { .category($0) } }
      .values.reduce(0) { $0 + $1.count }
    if elsewhere > 0 { line.add(" +\(elsewhere)", .accent) }
    if situation.waitingCount > 0 { line.add(" …\(situation.waitingCount)", .dim) }
    let isBare =
      situation.placeAtPrompt == Line() && elsewhere == 0 && situation.waitingCount == 0
    return line.and(isBare ? "❯ " : " ❯ ", .dim)
  }

  /// Sends what others are told of this chat; nobody waits for the answers.
  private func tellAttention() {
    let isHeld = holdsLine || editor.text == putBack
    let told = Attention.told(editor.text, in: situation.talking, isHeld: isHeld)
    let due = attention.due(
      in: situation.openList?.id, typing: question == nil ? told : nil, isLive: isLive,
      now: Uptime.milliseconds())
    for request in due { _ = client.submit(.ephemeral(request)) }
  }

  private func handle(_ event: TerminalEvent) throws(TerminalError) {
    switch event {
    case .input(let bytes) where keys.isPasting: try type(bytes)
    case .input(let bytes):
      for burst in bursts.receive(bytes, now: Uptime.milliseconds()) { try handle(burst) }
    case .resized: terminal.write(painter.resize(columns: Terminal.columns))
    case .woken: takeNews()
    case .suspended: try suspend()
    case .stopped: over = .done
    }
  }

  private func handle(_ burst: Bursts.Burst) throws(TerminalError) {
    switch burst {
    case .typed(let bytes): try type(bytes)
    case .pasted(let text): paste(text)
    }
  }

  private func type(_ bytes: [UInt8]) throws(TerminalError) {
    for byte in bytes { try press(keys.receive(byte)) }
  }

  private func press(_ pressed: [Key]) throws(TerminalError) {
    for key in pressed where over == nil {
      switch key {
      case .escape: leave()
      case .longPaste: refuseLongPaste()
      case .paste(let text):
        paste(text)
        continue
      default: break
      }
      switch editor.handle(key) {
      case .nothing, .changed, .scroll: break
      case .submitted(let line): submit(line)
      case .interrupted(let line): interrupt(line)
      case .ended: quit()
      case .clear: terminal.write(painter.clear())
      case .complete: complete()
      case .suspend: try suspend()
      }
    }
  }

  private func interrupt(_ line: String?) {
    if question != nil || (line == nil && situation.talking != nil) {
      leave()
    } else if line == nil {
      print(Line("/quit leaves the chat", .dim))
    }
  }

  /// Leaves the question, or else the view of talk.
  private func leave() {
    if question != nil {
      leaveQuestion()
    } else if situation.talking != nil {
      leaveTalk()
    }
  }

  private func suspend() throws(TerminalError) {
    clearRow()
    try terminal.suspend()
    terminal.write(painter.resize(columns: Terminal.columns))
  }

  private func complete() {
    let completion = Completion(of: editor.wordBeforeCursor, in: situation)
    if let word = completion.word { editor.replaceWord(with: word) }
    if completion.candidates.count > 1 {
      print(Line("\(completion.candidates.prefix(20).joined(separator: "  "))", .dim))
    }
  }

  /// Shows what there is without a connection: the lists as they were, and what was not sent.
  private func showKept() {
    situation.read(client)
    if let damage = files?.damage { complain(damage) }
    if hasCopies {
      print(Line("as of the last time, until there is a connection:", .dim))
      situation.shown.note(.lists, situation)
      print(ListLines.overview(situation))
    }
    let waiting = situation.waitingCount
    if waiting > 0 { print(Line("○ \(UnsentLines.count(waiting)) to be sent", .dim)) }
    if !situation.unsent.isEmpty {
      complain("not taken by the server: \(situation.unsent.count); /unsent shows them")
    }
  }

  /// Whether there are copies to work with.
  var hasCopies: Bool { situation.me != nil && !situation.streams.isEmpty }

  private func restoreOpenList() {
    do throws(ClientError) {
      guard let text = try folder.openList(), case .category(let id) = StreamID(text) else {
        return
      }
      situation.open = id
    } catch {
      complain("\(error)")
    }
  }
}
