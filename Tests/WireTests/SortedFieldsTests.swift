import Domain
import Testing

@testable import Wire

@Suite("Members in the order of their names") struct SortedFieldsTests {
  @Test("whatever order they were added in; what is nil is left out")
  func order() {
    var fields = SortedFields()
    fields.add(.title, "t")
    fields.add(.notes, nil)
    fields.add("base") { $0.member("base", true) }
    fields.add(.ifVersion, 3)
    fields.add(.post, PostID(UUID(high: 0, low: 1)))
    var writer = JSONWriter()
    writer.beginObject()
    fields.write(to: &writer)
    writer.endObject()
    let id = "00000000-0000-0000-0000-000000000001"
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"base":true,"id":"\#(id)","ifVersion":3,"title":"t"}"#)
  }
}
