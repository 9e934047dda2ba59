import Domain

/// Where an imported post comes from.
struct PostOrigin {
  let key: SourceKey
  let url: String?
}

struct OriginShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> PostOrigin {
    let it = try params.object(name)
    let key = SourceKey(
      name: try it.line("name", 1...Limits.sourceNameScalarsMax),
      id: try it.line("id", 1...Limits.sourceIDScalarsMax))
    guard it.has("url") else { return PostOrigin(key: key, url: nil) }
    let url = try it.line("url", 1...Limits.sourceURLScalarsMax)
    guard url.hasPrefix("https://") || url.hasPrefix("http://"),
      !url.utf8.contains(UInt8(ascii: " "))
    else { throw it.invalid("url", "must begin with https:// or http://, without spaces") }
    return PostOrigin(key: key, url: url)
  }

  func write(_ value: PostOrigin, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", value.key.id)
    writer.member("name", value.key.name)
    writer.member("url", ifPresent: value.url)
    writer.endObject()
  }

  var schema: String { Schema.common("origin") }
  var example: String { #"{"name":"tracker","id":"42","url":"https://example.org/42"}"# }
}

extension Parameter where S == OriginShape {
  static var origin: Self {
    Self("source", S(), "the program and the post there; `url` is where it is seen")
  }
}
