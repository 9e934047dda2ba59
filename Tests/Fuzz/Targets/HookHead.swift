// The head of a hook: where it goes, by whose token, in which form, and by which key a repeat is known. An input has
// what stands behind /hooks in the path, and on each further line a field.
//
// Promises: the order of the fields and the spelling of their names mean nothing. What is taken is what a plainer
// reading of the head finds. A head that is refused has an answer that our client understands.

import Domain
import Server
import WebSocket
import Wire

func fuzzHookHead(_ bytes: [UInt8]) throws(Finding) {
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
  let start = Array("POST \(HookRequest.path)".utf8) + lines[0] + Array(" HTTP/1.1".utf8)
  let fields = lines.dropFirst().filter { !$0.isEmpty }
  let whole = headOf([start, Array("Host: a".utf8)] + fields)
  guard case .head(let head, left: 0) = readHead([whole[...]], HTTPLimits()),
    case .success(let request) = requestOf(head)
  else { return }
  let plain = PlainHead(head)
  // These are the same fields, the last one first.
  let others = plain.fields.reversed().enumerated().map { index, field in
    let name = index.isMultiple(of: 2) ? field.name.uppercased() : field.name
    return Array("\(name):\(field.value)".utf8)
  }
  guard case .success(let again) = requestOf(headOf([start] + others)) else {
    throw Finding(sentence: "written again it is refused")
  }
  try promiseEqual(hook(again).map(\.words), hook(request).map(\.words), "another spelling")
  switch hook(request) {
  case .success(let it): try check(it, plain)
  case .failure(let fault): try checkReply(fault.reply, keepsAlive: request.keepsAlive)
  }
}

private func headOf(_ lines: [[UInt8]]) -> [UInt8] {
  var head: [UInt8] = []
  for line in lines { head += line + [0x0D, 0x0A] }
  return head + [0x0D, 0x0A]
}

private func requestOf(_ head: [UInt8]) -> Result<HTTPRequest, HTTPFault> {
  Result { () throws(HTTPFault) in try HTTPRequest(head: head) }
}

private func hook(_ request: HTTPRequest) -> Result<HookRequest, HookFault> {
  Result { () throws(HookFault) in try HookRequest(request) }
}

extension HookRequest {
  /// All that it says, to be compared.
  fileprivate var words: [String] {
    [token, "\(form)", list?.description ?? "no list", key ?? "no key"]
  }
}

extension HookForm {
  fileprivate var type: String {
    switch self {
    case .text: "text/plain"
    case .json: "application/json"
    case .form: "application/x-www-form-urlencoded"
    }
  }
}

private func check(_ hook: HookRequest, _ plain: PlainHead) throws(Finding) {
  let path = String(plain.words[1].prefix { $0 != "?" })
  let place = hook.list.map { "\(HookRequest.path)/\($0)" } ?? HookRequest.path
  try promiseEqual(path, place, "the path")
  try checkToken(hook.token, plain.values("authorization"))
  try checkForm(hook.form, plain.values("content-type"))
  let codings = plain.values("content-encoding").map { $0.lowercased() }
  try promise(codings.allSatisfy { $0 == "identity" }, "a compressed body was taken")
  try checkKey(hook.key, plain.values("idempotency-key"))
}

private func checkToken(_ token: String, _ values: [String]) throws(Finding) {
  try promiseEqual(values.count, 1, "the number of tokens")
  let (value, count) = (Array(values[0].utf8), token.utf8.count)
  try promise((1...HookRequest.tokenBytesMax).contains(count), "a token of \(count) bytes")
  try promise(value.suffix(count).elementsEqual(token.utf8), "another token: \(token)")
  let scheme = String(decoding: value.dropLast(count), as: UTF8.self).lowercased()
  try promise(
    scheme.hasSuffix(" ") && scheme.split(separator: " ") == ["bearer"], "the scheme \(scheme)")
}

private func checkForm(_ form: HookForm, _ values: [String]) throws(Finding) {
  try promise(values.count <= 1, "two types were taken")
  guard let value = values.first else {
    try promiseEqual(form, .text, "the form of a body without a type")
    return
  }
  // With other letters a Character is not a byte any more.
  guard value.utf8.allSatisfy({ $0 < 0x80 }) else { return }
  let parts = value.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
  try promiseEqual(parts.first.map { String($0) }, form.type, "the type")
  for option in parts.dropFirst() where option.hasPrefix("charset=") {
    let charset = option.dropFirst("charset=".count).filter { $0 != "\"" }
    try promise(charset == "utf-8" || charset == "us-ascii", "\(charset) was taken")
  }
}

private func checkKey(_ key: String?, _ values: [String]) throws(Finding) {
  guard let key else {
    try promiseEqual(values, [], "the keys of a head without one")
    return
  }
  let isPrintable = key.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  try promise(isPrintable && (1...HookRequest.keyBytesMax).contains(key.utf8.count), "key \(key)")
  try promise(values == [key] || values == ["\"\(key)\""], "the key \(key) of \(values)")
}
