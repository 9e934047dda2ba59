import Domain

// The shapes that only the requests about a connection have.

struct ClientShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> ClientName {
    let it = try params.object(name)
    return ClientName(
      name: try it.line("name", 1...Limits.clientScalarsMax),
      version: try it.line("version", 1...Limits.clientScalarsMax))
  }

  func write(_ value: ClientName, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", value.name)
    writer.member("version", value.version)
    writer.endObject()
  }

  var schema: String { Schema.common("client") }
  var example: String { #"{"name":"terminal","version":"1"}"# }
}

struct StreamsShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [StreamID] {
    try params.list(name, atMost: Limits.subscriptionsMax) { element throws(Refusal) in
      try params.stream(name, value: element)
    }
  }

  func write(_ value: [StreamID], to writer: inout JSONWriter) {
    writer.array(value) { $1.stream($0) }
  }

  var schema: String { Schema.list(of: Schema.common("stream"), 0...Limits.subscriptionsMax) }
  var example: String { #"["c:\#(Schema.exampleID)"]"# }
}

/// All streams, none, or those of a list.
struct SelectionShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> StreamSelection {
    let value = try params.value(name)
    if value.kind == .array { return .only(try StreamsShape().read(params, name)) }
    switch value.string {
    case "all": return .all
    case "none": return .none
    default: throw params.invalid(name, "must be all, none or a list")
    }
  }

  func write(_ value: StreamSelection, to writer: inout JSONWriter) {
    switch value {
    case .all: writer.string("all")
    case .none: writer.string("none")
    case .only(let streams): StreamsShape().write(streams, to: &writer)
    }
  }

  var schema: String {
    #"{"anyOf":[\#(Schema.words(["all", "none"])),\#(StreamsShape().schema)]}"#
  }

  var example: String { Schema.quoted("all") }
}

/// An object from stream to place. Returns the cursors in stream order.
struct CursorTableShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [Cursor] {
    var cursors: [Cursor] = []
    for member in try params.members(name) {
      guard cursors.count < Limits.subscriptionsMax else {
        throw params.tooLarge(name, max: Limits.subscriptionsMax)
      }
      guard let stream = StreamID(member.name), member.value.kind == .object else {
        throw params.invalid(name, "must map streams to objects")
      }
      let position = try CursorPosition(params.inner(member.value, prefix: "\(name)."))
      cursors.append(Cursor(stream: stream, position: position))
    }
    return cursors.sorted { $0.stream < $1.stream }
  }

  func write(_ value: [Cursor], to writer: inout JSONWriter) {
    writer.beginObject()
    for cursor in value {
      guard let position = cursor.position else { continue }
      writer.key(cursor.stream.description)
      writer.beginObject()
      position.writeFields(to: &writer)
      writer.endObject()
    }
    writer.endObject()
  }

  var schema: String {
    #"{"type":"object","propertyNames":\#(Schema.common("stream")),"#
      + #""additionalProperties":\#(Schema.common("place")),"#
      + #""maxProperties":\#(Limits.subscriptionsMax)}"#
  }

  var example: String { #"{"c:\#(Schema.exampleID)":{"epoch":"e1","seq":0}}"# }
}

/// A list of streams, each with a place or without.
struct CursorListShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [Cursor] {
    try params.list(name, atMost: Limits.subscriptionsMax) { element throws(Refusal) in
      guard element.kind == .object else { throw params.invalid(name, "must be objects") }
      let place = params.inner(element, prefix: "\(name).")
      let stream = try place.stream("stream")
      let hasPosition = place.has("epoch") || place.has("seq") || place.has("tx")
      return Cursor(stream: stream, position: hasPosition ? try CursorPosition(place) : nil)
    }
  }

  func write(_ value: [Cursor], to writer: inout JSONWriter) {
    writer.array(value) { cursor, writer in
      writer.beginObject()
      writer.member("stream", cursor.stream)
      cursor.position?.writeFields(to: &writer)
      writer.endObject()
    }
  }

  var schema: String { Schema.list(of: Schema.common("cursor"), 0...Limits.subscriptionsMax) }
  var example: String { #"[{"stream":"c:\#(Schema.exampleID)"}]"# }
}

struct FeaturesShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [String] {
    try params.list(name, atMost: Hello.featuresMax) { element throws(Refusal) in
      guard let feature = element.string else { throw params.invalid(name, "must be texts") }
      return feature
    }
  }

  func write(_ value: [String], to writer: inout JSONWriter) {
    writer.array(value) { $1.string($0) }
  }

  var schema: String { Schema.list(of: #"{"type":"string"}"#, 0...Hello.featuresMax) }
  var example: String { "[]" }
}

extension CursorPosition {
  static let epochBytesMax = 64

  init(_ params: Params) throws(Refusal) {
    let epoch = try params.secret("epoch", bytes: 1...CursorPosition.epochBytesMax)
    let seq = try params.int("seq", 0...JSONNumber.integerMax)
    let transaction = seq == 0 ? nil : TransactionID(try params.uuid("tx"))
    self.init(epoch: Epoch(epoch), seq: seq, transaction: transaction)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("epoch", epoch.text)
    writer.member("seq", seq)
    writer.member("tx", ifPresent: transaction?.uuid)
  }
}
