// Prints what the server takes, method by method, as one JSON document. `scripts/protocol` makes the tables and schemas
// of `protocol/` from it.

import Domain
import Wire

var catalog = JSONWriter()
catalog.beginArray()
for method in Method.allCases { catalog.describe(method, try method.parameters) }
catalog.endArray()
print(String(decoding: catalog.bytes, as: UTF8.self))

extension JSONWriter {
  mutating func describe(_ method: Method, _ list: ParameterList) {
    beginObject()
    member("method", method.name)
    key("parameters")
    beginArray()
    for row in list.rows { describe(row) }
    endArray()
    key("needs")
    beginArray()
    for rule in list.rules { describe(rule) }
    endArray()
    endObject()
  }

  private mutating func describe(_ row: ParameterRow) {
    beginObject()
    member("name", row.name)
    key("schema")
    raw(Array(row.schema.utf8))
    member("required", row.isRequired)
    if let standard = row.standard {
      key("default")
      raw(Array(standard.utf8))
    }
    key("example")
    raw(Array(row.example.utf8))
    member("meaning", row.meaning)
    endObject()
  }

  /// Alternatives, each with the names of the parameters that it needs.
  private mutating func describe(_ rule: [[String]]) {
    beginArray()
    for alternative in rule {
      beginArray()
      for name in alternative { string(name) }
      endArray()
    }
    endArray()
  }
}
