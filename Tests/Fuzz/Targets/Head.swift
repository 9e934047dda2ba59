// The head of a request, up to the answer to an upgrade. An input is two knobs and a client's bytes.
//
//   knob 0   bit 0: tight limits; bits 1–2: the route's subprotocols; bit 3: the route compresses
//   knob 1   how the stream is cut
//
// Promises: the outcome does not depend on the cuts. An accepted head has only whole lines, one host, no transfer
// coding and one length, and is the same request when its parts are written down again in another spelling. Every
// answer, yes or no, is one that our own client understands.

import WebSocket

func fuzzHead(_ bytes: [UInt8]) throws(Finding) {
  guard let input = FuzzInput(bytes, knobs: 2) else { return }
  let limits =
    input.knobs[0] & 1 == 0
    ? HTTPLimits() : HTTPLimits(headBytesMax: 300, targetBytesMax: 24, fieldsMax: 8)
  let known = Subprotocols(["whattodo.v1", "b"], areRequired: input.knobs[0] & 2 != 0)
  let subprotocols = input.knobs[0] & 4 == 0 ? known : .none
  var outcomes: [HeadOutcome] = []
  for pieces in input.stream.cuts(seed: input.knobs[1]) {
    outcomes.append(readHead(pieces, limits))
  }
  for outcome in outcomes { try promiseEqual(outcome, outcomes[0], "the head in other pieces") }
  guard case .head(let head, let left) = outcomes[0] else { return }
  try checkLines(head, limits)
  try promise(head + input.stream.suffix(left) == input.stream, "bytes behind the head were eaten")
  switch parse(head, limits) {
  case .success(let request):
    let route = HeadRoute(subprotocols: subprotocols, deflate: input.knobs[0] & 8 != 0)
    try checkRequest(request, head, route)
  case .failure(let fault): try checkReply(.refusal(fault), keepsAlive: false)
  }
}

/// The parts of a route that decide an upgrade.
private struct HeadRoute {
  let subprotocols: Subprotocols
  let deflate: Bool

  func decision(_ request: HTTPRequest) -> UpgradeDecision {
    request.upgrade(subprotocols: subprotocols, deflate: deflate)
  }
}

private func parse(_ head: [UInt8], _ limits: HTTPLimits) -> Result<HTTPRequest, HTTPFault> {
  Result { () throws(HTTPFault) in try HTTPRequest(head: head, limits: limits) }
}

/// The outcome of a head: a fault, or the head and how many bytes stand behind it.
enum HeadOutcome: Hashable {
  case unfinished
  case fault(HTTPFault)
  case head([UInt8], left: Int)
}

func readHead(_ pieces: [ArraySlice<UInt8>], _ limits: HTTPLimits) -> HeadOutcome {
  var reader = HTTPHeadReader(limits: limits)
  for (index, piece) in pieces.enumerated() {
    let bytes = [0x0A, 0x0D] + piece + [0x0A, 0x0D]
    var position = 2
    do throws(HTTPFault) {
      guard
        let head = try reader.next(in: bytes.span, at: &position, end: piece.count + 2)
      else { continue }
      let later = pieces[(index + 1)...].reduce(0) { $0 + $1.count }
      return .head(head, left: later + piece.count + 2 - position)
    } catch {
      return .fault(error)
    }
  }
  return .unfinished
}

/// A head taken apart without judgement: its first line, and names in lower case with trimmed values. All of it is
/// bytes, because CR LF is one Character, and so is a colon with a combining mark behind it.
struct PlainHead {
  let words: [String]
  let fields: [(name: String, value: String)]

  init(_ head: [UInt8]) {
    let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0.dropLast() }
    words = lines[0].split(separator: 0x20, omittingEmptySubsequences: false).map(PlainHead.text)
    // Nothing stands behind the last line's end, and an empty line before it.
    fields = lines.dropFirst().dropLast(2).map { line in
      let name = line.prefix { $0 != 0x3A }
      var value = line.dropFirst(name.count + 1)
      while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
      while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
      return (PlainHead.text(name).lowercased(), PlainHead.text(value))
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}

private func checkLines(_ head: [UInt8], _ limits: HTTPLimits) throws(Finding) {
  try promise(head.count <= limits.headBytesMax, "a head of \(head.count) bytes")
  try promise(head.suffix(4) == [13, 10, 13, 10], "a head without an end")
  var previous: UInt8 = 0
  for byte in head {
    try promise((previous == 13) == (byte == 10), "half a line end")
    try promise(byte >= 32 && byte != 127 || [9, 10, 13].contains(byte), "control character")
    previous = byte
  }
  let lines = head.filter { $0 == 10 }.count
  try promise(lines <= limits.fieldsMax + 2, "a head of \(lines) lines")
}

private func checkRequest(
  _ request: HTTPRequest, _ head: [UInt8], _ route: HeadRoute
) throws(Finding) {
  let plain = PlainHead(head)
  try promiseEqual(plain.words.count, 3, "words of the first line")
  try promise(plain.values("transfer-encoding").isEmpty, "a transfer coding was taken")
  let hosts = plain.values("host")
  try promise(hosts.count == 1 || (hosts.isEmpty && request.minorVersion == 0), "hosts")
  let lengths = plain.values("content-length")
  try promise(lengths.count <= 1, "two lengths")
  try promiseEqual(lengths.first.map { Int($0) } ?? 0, request.bodyBytes, "the length")
  for field in plain.fields {
    try promise(!field.name.isEmpty && !field.name.contains(" "), "the name \(field.name)")
    let same = plain.values(field.name)
    try promiseEqual(request.values(field.name), same, "the values of \(field.name)")
    try promiseEqual(request.value(field.name), same.count == 1 ? same[0] : nil, field.name)
  }
  // This is the same request in another spelling.
  var other = Array(head[..<(head.firstIndex(of: 13) ?? 0)]) + [13, 10]
  for (index, field) in plain.fields.enumerated() {
    let name = index.isMultiple(of: 2) ? field.name.uppercased() : field.name
    other += Array("\(name):\(field.value)\r\n".utf8)
  }
  guard case .success(let again) = parse(other + [13, 10], HTTPLimits()) else {
    throw Finding(sentence: "written again it is refused")
  }
  let decision = route.decision(request)
  try promiseEqual(route.decision(again), decision, "the upgrade")
  try promiseEqual(again.keepsAlive, request.keepsAlive, "whether it keeps alive")
  try promiseEqual(
    [again.path, again.query, again.host], [request.path, request.query, request.host], "target")
  try checkDecision(decision, request, plain, route)
}

private func checkDecision(
  _ decision: UpgradeDecision, _ request: HTTPRequest, _ plain: PlainHead, _ route: HeadRoute
) throws(Finding) {
  switch decision {
  case .refused(let reply): try checkReply(reply, keepsAlive: request.keepsAlive)
  case .accepted(let upgrade):
    try promiseEqual(plain.words[0], "GET", "the method of an upgrade")
    try promiseEqual(plain.values("sec-websocket-version"), ["13"], "the version of an upgrade")
    try promiseEqual(request.bodyBytes, 0, "the body of an upgrade")
    try promiseEqual(
      plain.values("sec-websocket-key").map { Array($0.utf8) }, [upgrade.key], "the key")
    try promise(
      upgrade.subprotocol != nil || !route.subprotocols.areRequired, "no subprotocol was chosen")
    try promise(
      upgrade.deflate == nil
        || route.deflate
          && plain.values("sec-websocket-extensions").contains { $0.contains("permessage-deflate") },
      "compression that was not offered")
    let accept = Array("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=".utf8)
    var output: [UInt8] = []
    upgrade.write(accept: accept, to: &output)
    try promiseEqual(
      readHead([output[...]], HTTPLimits()), .head(output, left: 0), "the head of the answer")
    let agreed = ClientView.open(upgrade.subprotocol, isCompressed: upgrade.deflate != nil)
    try promiseEqual(try seenByClient(output, accept, offersDeflate: true), agreed, "the answer")
  }
}

/// Checks an answer that ends the connection: our client reads its status.
func checkReply(_ reply: HTTPReply, keepsAlive: Bool) throws(Finding) {
  var output: [UInt8] = []
  reply.write(to: &output, keepsAlive: keepsAlive)
  guard case .head(let head, let left) = readHead([output[...]], HTTPLimits()) else {
    throw Finding(sentence: "an answer without a head: \(reply)")
  }
  try promiseEqual(left, reply.body.count, "the body of \(reply)")
  try promiseEqual(try seenByClient(head, []), .refused(reply.status.code), "the status")
}

/// An answer as the client understands it.
enum ClientView: Hashable {
  case open(String?, isCompressed: Bool)
  case refused(Int)
  case fault(HandshakeFault)
}

func seenByClient(
  _ head: [UInt8], _ accept: [UInt8], offersDeflate: Bool = false
) throws(Finding) -> ClientView {
  do throws(HandshakeFault) {
    let handshake = try ClientHandshake(
      host: "h", target: "/", nonce: [UInt8](repeating: 7, count: 16),
      subprotocols: ["whattodo.v1", "b"], deflate: offersDeflate)
    let agreement = try handshake.check(head: head, accept: accept)
    return .open(agreement.subprotocol, isCompressed: agreement.deflate != nil)
  } catch {
    if case .refused(let status, _) = error { return .refused(status) }
    return .fault(error)
  }
}
