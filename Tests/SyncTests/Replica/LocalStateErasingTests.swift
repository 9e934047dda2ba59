import Domain
import Testing

@testable import Sync

@Suite("protocol §5.6: a local state of somebody who has the text")
struct LocalStateErasingTests {
  private let post = PostID(UUID(high: 9, low: 1))
  private let secret = "pin 4711"

  /// Returns a person whose own notes were refused because others wrote the secret.
  private func conflict() throws -> (Person, CategoryID) {
    var person = Person()
    let list = person.server.addList(1)
    person.connect()
    person.ask(.post(.add(list, post, title: "milk", notes: "two")))
    try person.exchange()
    person.cut()
    person.ask(.editPost(list, post, PostEdit(notes: "mine"), ifVersion: nil))
    let edit = Op.post(.edited(post, version: 2, PostEdit(title: secret, notes: secret)))
    person.server.write(.category(list), [edit])
    person.comeBack()
    try person.exchange()
    return (person, list)
  }

  /// Returns whether anything that a client keeps on disk has the text.
  private func isKept(_ text: String, _ person: Person) -> Bool {
    var person = person
    person.saveCopies()
    let outbox = CheckedLines.encode(person.local.outbox.records.map(OutboxCodec.encode))
    return String(decoding: person.savedCopies + outbox, as: UTF8.self).contains(text)
  }

  @Test("others' text goes from copies and conflicts, one's own stays", arguments: [5, 0])
  func conflict(tailMax: Int64) throws {
    var (person, list) = try conflict()
    #expect(isKept(secret, person))
    person.server.tailMax = tailMax
    person.cut()
    let stamp = Stamp(at: Timestamp(milliseconds: 9), by: person.server.user)
    person.server.write(.category(list), [.post(.erased(post, version: 3, stamp))])
    person.comeBack()
    try person.exchange()
    #expect(person.isLevel)
    #expect(!isKept(secret, person))
    let conflict = try #require(person.local.conflicts.first)
    #expect(conflict.mine.notes == "mine")
    #expect(conflict.theirs.notes == "")
  }
}
