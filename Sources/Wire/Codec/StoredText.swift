// Objects that a store keeps as a text of JSON in a column of their own.

extension StoredFields {
  /// Reads an object from its text.
  init(text: String) throws(WireError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(Array(text.utf8))
    } catch {
      throw .malformed("")
    }
    try self.init(document.root)
  }
}

extension JSONWriter {
  /// Returns an object with these members as a text.
  static func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
