// The body of a hook. An input is one knob and the body.
//
//   knob 0   bits 0–1: the form
//
// Promises: a body that is taken becomes requests that a client could have sent, and the same ones when it is read
// again. A body that is refused has an answer that is JSON. A text is the same in each form that can say it.

import Domain
import Wire

func fuzzHook(_ bytes: [UInt8]) throws(Finding) {
  guard let input = FuzzInput(bytes, knobs: 1) else { return }
  let form: HookForm = [.text, .form, .json, .form][Int(input.knobs[0] & 3)]
  let outcome = read(input.stream, form)
  try promiseEqual(read(input.stream, form), outcome, "the report read again")
  switch outcome {
  case .failure(let failure):
    let body = HookAnswer.refused(failure).body
    guard case .success = Result(catching: { () throws(JSONError) in try JSONDocument(body) })
    else { throw Finding(sentence: "no JSON: \(String(decoding: body, as: UTF8.self))") }
  case .success(let requests):
    for envelope in [requests.first] + [requests.second].compactMap(\.self) {
      let sent = envelope.request.encoded(id: envelope.id)
      let again = Result { () throws(RequestError) in try RequestEnvelope(decoding: sent) }
      try promiseEqual(again, .success(envelope), "the request sent by a client")
    }
  }
}

private func read(_ body: [UInt8], _ form: HookForm) -> Result<HookRequests, Failure> {
  Result { () throws(Failure) in
    let report = try HookReport(body, as: form)
    do throws(Failure) {
      return try report.requests(in: report.list ?? CategoryID(UUID(high: 2, low: 1)), names)
    } catch {
      throw report.told(error)
    }
  }
}

private let names = HookNames(user: UserID(UUID(high: 1, low: 9)), repeatedBy: "once") { texts in
  var hash: UInt64 = 14_695_981_039_346_656_037
  for byte in texts.joined(separator: "\u{0}").utf8 {
    hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
  }
  return (0..<32).map { UInt8(truncatingIfNeeded: hash >> UInt64($0 % 8 * 8)) }
}
