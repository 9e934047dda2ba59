import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("a line that was begun in a view of talk")
struct HeldLineTests {
  private let view = TalkView(stream: .category(Demo.groceries))

  @Test("Nobody is told of talk that is typed, also when its view is closed by now")
  func typing() {
    #expect(Attention.told("oat", in: nil, isHeld: false) == "oat")
    #expect(Attention.told("oat", in: view, isHeld: false) == nil)
    #expect(Attention.told("oat", in: nil, isHeld: true) == nil)
    for text in ["'oat", "/say oat"] {
      #expect(Attention.told(text, in: nil, isHeld: false) == nil)
    }
  }

  @Test("Pasted lines make no posts of a draft that was begun as talk")
  func paste() {
    func way(_ whole: String, _ draft: String, in view: TalkView? = nil, held: Bool) -> PasteWay {
      PasteWay(whole, draft: draft, in: view, isHeld: held)
    }
    #expect(way("yes milk\nbread", "yes ", held: true) == .refused)
    #expect(way("yes milk\nbread", "yes ", held: false) == .asked)
    // In the view, or as words of a command, or as one line, it counts as typed.
    #expect(way("yes milk\nbread", "yes ", in: view, held: false) == .typed)
    #expect(way("/note 1 milk\nbread", "/note 1 ", held: true) == .typed)
    #expect(way("yes milk", "yes ", held: true) == .typed)
  }

  @Test("A line that may not be said closes its view and is kept, and other refusals do neither")
  func silent() throws {
    let say = LineCommand.say(view.stream, text: "hi")
    let rows: [(Command, ErrorKind, StreamID?)] = [
      (.line(say), .forbidden, view.stream), (.line(say), .gone, nil),
      (.line(.edit(view.stream, line: 7, text: "hi")), .forbidden, nil),
      (.line(.remove(view.stream, line: 7)), .forbidden, nil),
      (.category(.remove(Demo.groceries)), .forbidden, nil),
    ]
    let key = try #require(CommandKey("k"))
    for (command, kind, place) in rows {
      let unsent = UnsentCommand(
        queued: QueuedCommand(number: 1, command: command, key: key, at: Demo.start),
        reason: ServerError(
          kind: kind, code: kind.code, retry: .no,
          sentence: "Talk is switched off on this server."))
      #expect(unsent.silentPlace == place)
    }
  }
}
