import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("--json of changes")
struct ChangeNoteTests {
  private let milk = Demo.post(1, "").id

  private func notes(_ commands: [Command], number: Int? = nil) -> [ChangeNote] {
    let command = commands.count == 1 ? commands[0] : .batch(commands)
    let parts = commands.count == 1 ? [] : commands.map { _ in CommandPart(changed: true) }
    return ChangeNote.of(
      .command(command, key: CommandKey("k")!),
      CommandResult(changed: true, number: number, parts: parts), [:], in: Demo.situation())
  }

  @Test("A change tells the id of what it is about")
  func subjects() {
    let copy = Demo.post(7, "").id
    let address = PostAddress(category: Demo.groceries, post: milk)
    let rows: [(Command, String?)] = [
      (.post(.add(address, NewPost(title: "milk"))), "\(milk)"),
      (.completePost(Demo.groceries, milk, ifVersion: nil), "\(milk)"),
      (.post(.change(address, .copy(as: copy, to: Demo.bigShop), ifVersion: nil)), "\(copy)"),
      (.changeTag(Demo.groceries, Demo.urgent.id, .remove), "\(Demo.urgent.id)"),
      (.group(.add(Demo.home, name: "home")), "\(Demo.home)"),
      (.category(.remove(Demo.bigShop)), "\(Demo.bigShop)"),
      (.member(.remove(.group(Demo.home), Demo.editor)), "\(Demo.editor)"),
      (.person(.block(username: "editor")), nil),
    ]
    for (command, id) in rows {
      #expect(notes([command]).map(\.id) == [id], "\(command)")
    }
    #expect(notes(rows.map(\.0)).map(\.id) == rows.map(\.1), "each of a batch by itself")
  }

  @Test("A line that is said has the number of its event, and another change of it the same")
  func lines() {
    let stream = StreamID.category(Demo.groceries)
    let result = CommandResult(
      changed: true, events: [StreamPosition(stream: stream, seq: 57)])
    for command: LineCommand in [
      .say(stream, text: "x"), .edit(stream, line: 57, text: "y"), .remove(stream, line: 57),
      .react(stream, line: 57, sign: nil),
    ] {
      let notes = ChangeNote.of(
        .command(.line(command), key: CommandKey("k")!), result, [:], in: Demo.situation())
      #expect(notes == [ChangeNote(line: 57)])
      #expect(
        JSONOutput.answers([(.viewed, .command(result))], noting: notes)
          == #"{"ok":true,"results":[{"changed":true,"number":57}]}"#)
    }
  }

  @Test("The next post that is claimed is known by its number")
  func claimed() {
    let next = Command.post(.claimNext(Demo.groceries, milliseconds: 1))
    #expect(notes([next], number: 2).map(\.id) == ["\(Demo.post(2, "").id)"])
    #expect(notes([next]).map(\.id) == [nil])
  }

  @Test("A change of a step tells the post and the step")
  func steps() {
    let address = PostAddress(category: Demo.groceries, post: milk)
    let finish = PostChange.step(Demo.flour, .complete)
    let note = notes([.post(.change(address, finish, ifVersion: nil))])
    #expect(note == [ChangeNote(id: "\(milk)", step: "\(Demo.flour)")])
  }

  @Test("The result of a change has what is told of it")
  func written() {
    let result = ReplicaAnswer.command(CommandResult(changed: true, number: 12, version: 1))
    let note = ChangeNote(id: "\(milk)", end: .done)
    #expect(
      JSONOutput.answers([(.viewed, result)], noting: [note])
        == #"{"ok":true,"results":[{"changed":true,"id":"\#(milk)","number":12,"version":1,"#
        + #""completed":true}]}"#)
  }
}
