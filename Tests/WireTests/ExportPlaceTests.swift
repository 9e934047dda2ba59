import Domain
import Testing

@testable import Wire

@Suite("protocol §8 `account.export`: where an export goes on") struct ExportPlaceTests {
  static let list = StreamID("c:01890a5d-ac96-774b-bcce-0000000000c1")

  @Test("a place is its text")
  func text() throws {
    let list = try #require(Self.list)
    let key = ObjectKey(kind: .member, id: list.uuid)
    var places = ExportPlace.Part.allCases.map { ExportPlace(stream: list, part: $0, number: 7) }
    places.append(ExportPlace(stream: list, part: .objects, number: 1, after: key))
    places.append(ExportPlace(stream: list, part: .events, number: .max))
    for place in places {
      #expect(ExportPlace(place.text) == place)
      #expect(place.text.utf8.count <= ExportPlace.bytesMax)
    }
  }

  @Test(
    "anything else is none",
    arguments: [
      "", ".", "..", "c:1.e.1", "LIST", "LIST.", "LIST.e", "LIST.e.", "LIST.x.1", "LIST.e.-1",
      "LIST.e.+1", "LIST.e.01", "LIST.e.1.", "LIST.e.9223372036854775808", "LIST.o.1.member",
      "LIST.o.1.nothing.01890a5d-ac96-774b-bcce-0000000000c1", "LIST.o.1.member.1", " LIST.e.1",
      "LIST.e.1.member.01890a5d-ac96-774b-bcce-0000000000c1", "LIST.e.1\n",
      "LIST.o.1.member.01890A5D-ac96-774b-bcce-0000000000c1",
    ])
  func nonsense(_ text: String) throws {
    let list = try #require(Self.list)
    let whole = text.replacing("LIST", with: "\(list)")
    #expect(ExportPlace(whole) == nil)
  }
}
