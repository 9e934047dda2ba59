// A server's answer to our handshake. An input is one knob (the cuts) and the server's bytes.
//
// Promises: the outcome does not depend on the cuts. A connection opens only on status 101 with one right accept value,
// an upgrade to websocket, and nothing that was not offered.

import WebSocket

private let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

func fuzzAnswer(_ bytes: [UInt8]) throws(Finding) {
  guard let input = FuzzInput(bytes, knobs: 1) else { return }
  var outcomes: [HeadOutcome] = []
  for pieces in input.stream.cuts(seed: input.knobs[0]) {
    outcomes.append(readHead(pieces, HTTPLimits()))
  }
  for outcome in outcomes { try promiseEqual(outcome, outcomes[0], "the head in other pieces") }
  guard case .head(let head, _) = outcomes[0] else { return }
  for offersDeflate in [false, true] { try checkAnswer(head, offersDeflate: offersDeflate) }
}

private func checkAnswer(_ head: [UInt8], offersDeflate: Bool) throws(Finding) {
  let view = try seenByClient(head, Array(accept.utf8), offersDeflate: offersDeflate)
  let plain = PlainHead(head)
  try promise(view != .fault(.notSendable), "it is about what we sent")
  switch view {
  case .fault: return
  case .refused(let status):
    try promise(status != 101 && plain.words.count > 1, "a refusal with 101")
    try promiseEqual(
      plain.words[1], status < 10 ? "00\(status)" : status < 100 ? "0\(status)" : "\(status)",
      "the status")
  case .open(let subprotocol, let isCompressed):
    try promise(plain.words.count > 1 && plain.words[1] == "101", "opened by another status")
    try promiseEqual(plain.values("sec-websocket-accept"), [accept], "the accept value")
    try promiseEqual(
      plain.values("upgrade").map { $0.lowercased() }, ["websocket"], "the upgrade")
    let extensions = plain.values("sec-websocket-extensions").joined(separator: ",")
    if isCompressed {
      try promise(offersDeflate, "compression that nobody offered")
      try promise(
        extensions.contains("permessage-deflate")
          && extensions.contains("server_no_context_takeover"), "compression with a context")
    } else {
      try promise(extensions.allSatisfy { " \t,".contains($0) }, "an extension that is not used")
    }
    let chosen = plain.values("sec-websocket-protocol")
    try promiseEqual(chosen, subprotocol.map { [$0] } ?? [], "the subprotocol")
    try promise(subprotocol.map { ["whattodo.v1", "b"].contains($0) } ?? true, "the subprotocol")
  }
}
