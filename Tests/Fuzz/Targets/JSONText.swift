// JSON texts. An input is the text.
//
// Promises: a plain reader takes every text that is taken, and refuses every text that is refused for its grammar. The
// offset of a fault lies where the text first goes wrong. A text written down again from its values is read as the same
// values. Every value is a text of its own.

import Wire

func fuzzJSON(_ bytes: [UInt8]) throws(Finding) {
  switch Result(catching: { () throws(JSONError) in try JSONDocument(bytes) }) {
  case .success(let document): try checkTaken(document, bytes)
  case .failure(let error): try checkRefused(error, bytes)
  }
}

private func checkTaken(_ document: JSONDocument, _ bytes: [UInt8]) throws(Finding) {
  try promise(PlainJSON.holds(bytes), "taken, though it is not JSON")
  var writer = JSONWriter()
  write(document.root, to: &writer)
  let again = try read(writer.bytes, "written again")
  try checkSame(document.root, again.root)
  var third = JSONWriter()
  write(again.root, to: &third)
  try promiseEqual(third.bytes, writer.bytes, "written a third time")
  try checkParts(document.root, depth: 0)
}

/// Checks that every value's own bytes are a text with that value.
private func checkParts(_ node: JSONNode, depth: Int) throws(Finding) {
  guard depth < 3 else { return }
  try checkSame(node, try read(Array(node.rawBytes), "a value by itself").root)
  for element in node.elements.map(Array.init) ?? [] {
    try checkParts(element, depth: depth + 1)
  }
  for member in node.members.map(Array.init) ?? [] {
    try checkParts(member.value, depth: depth + 1)
    let found = node[member.name]
    try promiseEqual(found?.rawBytes, member.value.rawBytes, "the member \(member.name)")
  }
}

private func read(_ bytes: [UInt8], _ what: String) throws(Finding) -> JSONDocument {
  do throws(JSONError) {
    return try JSONDocument(bytes, limits: JSONLimits(bytesMax: 8 << 20))
  } catch {
    throw Finding(sentence: "\(what): \(error)")
  }
}

private func write(_ node: JSONNode, to writer: inout JSONWriter) {
  switch node.kind {
  case .null: writer.null()
  case .bool: writer.bool(node.bool ?? false)
  case .string: writer.string(node.string ?? "")
  case .number:
    if let value = node.int64 { writer.int(value) } else { writer.raw(node.rawBytes) }
  case .array:
    writer.beginArray()
    for element in node.elements.map(Array.init) ?? [] { write(element, to: &writer) }
    writer.endArray()
  case .object:
    writer.beginObject()
    for member in node.members.map(Array.init) ?? [] {
      writer.key(member.name)
      write(member.value, to: &writer)
    }
    writer.endObject()
  }
}

private func checkSame(_ node: JSONNode, _ other: JSONNode) throws(Finding) {
  try promiseEqual(node.kind, other.kind, "the kind")
  try promiseEqual(node.bool, other.bool, "a truth")
  try promiseEqual(node.utf8, other.utf8, "the bytes of a string")
  try promiseEqual(node.string.map { Array($0.utf8) }, node.utf8, "a string and its bytes")
  try promiseEqual(node.uuid, other.uuid, "an identifier")
  try promiseEqual(node.int64, other.int64, "a number")
  let (elements, others) = (node.elements.map(Array.init), other.elements.map(Array.init))
  try promiseEqual(elements?.count, others?.count, "how many elements")
  for (element, other) in zip(elements ?? [], others ?? []) { try checkSame(element, other) }
  let (members, more) = (node.members.map(Array.init), other.members.map(Array.init))
  try promiseEqual(members?.map(\.name), more?.map(\.name), "the names")
  for (member, other) in zip(members ?? [], more ?? []) { try checkSame(member.value, other.value) }
}

private func checkRefused(_ error: JSONError, _ bytes: [UInt8]) throws(Finding) {
  try promise((0...bytes.count).contains(error.offset), "a fault outside the text")
  switch error.kind {
  case .unexpectedEnd, .unexpectedByte, .trailingBytes, .number, .controlCharacter, .escape, .utf8:
    try promise(!PlainJSON.holds(bytes), "refused (\(error)), though it is JSON")
  case .tooLong, .tooDeep, .byteOrderMark, .numberTooLong, .numberRange, .loneSurrogate, .marks,
    .duplicateMember:
    break
  }
  // Up to the byte that breaks the rule there was nothing to object to.
  guard error.kind == .unexpectedByte || error.kind == .trailingBytes else { return }
  let start = Array(bytes[..<error.offset])
  if case .failure(let fault) = Result(catching: { () throws(JSONError) in try JSONDocument(start) }
  ) {
    try promiseEqual(fault.kind, .unexpectedEnd, "the fault of the text before the fault")
  }
}
