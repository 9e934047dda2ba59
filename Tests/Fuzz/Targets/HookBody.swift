// The body of a hook. An input is one knob and the body.
//
//   knob 0   bits 0–1: the form; bit 2: the post is known
//
// Promises: a body that is taken becomes requests that a client could have sent. A body that is refused has an answer
// that is JSON. A text says the same as JSON with its title and notes.

import Domain
import TestRandom
import Wire

func fuzzHook(_ bytes: [UInt8]) throws(Finding) {
  guard let input = FuzzInput(bytes, knobs: 1) else { return }
  let form: HookForm = [.text, .form, .json, .form][Int(input.knobs[0] & 3)]
  switch read(input.stream, form, isKnown: input.knobs[0] & 4 != 0) {
  case .failure(let failure):
    let body = HookAnswer.refused(failure).body
    guard case .success = Result(catching: { () throws(JSONError) in try JSONDocument(body) })
    else { throw Finding(sentence: "no JSON: \(String(decoding: body, as: UTF8.self))") }
  case .success(let requests):
    for envelope in requests.ways.joined() {
      let sent = envelope.request.encoded(id: envelope.id)
      let again = Result { () throws(RequestError) in try RequestEnvelope(decoding: sent) }
      try promiseEqual(again, .success(envelope), "the request sent by a client")
    }
    guard form == .text else { return }
    try promiseEqual(
      read(json(requests), .json, isKnown: false), .success(requests), "the text as JSON")
  }
}

/// Returns the body in JSON that says the same as the one post that is added.
private func json(_ requests: HookRequests) -> [UInt8] {
  guard case .command(.post(.add(_, let new)), _, _)? = requests.ways.first?.first?.request
  else { return [] }
  var writer = JSONWriter()
  writer.beginObject()
  writer.member("title", new.title)
  if !new.notes.isEmpty { writer.member("notes", new.notes) }
  writer.endObject()
  return writer.bytes
}

private func read(
  _ body: [UInt8], _ form: HookForm, isKnown: Bool
) -> Result<HookRequests, Failure> {
  Result { () throws(Failure) in
    let report = try HookReport(body, as: form)
    let list = report.list ?? CategoryID(UUID(high: 2, low: 1))
    let post = report.newPost(in: list, names, attempt: 0)
    do throws(Failure) {
      return try report.requests(
        in: list, about: isKnown ? .known(post) : .new(post), names)
    } catch {
      throw report.told(error)
    }
  }
}

private let names = HookNames(
  user: UserID(UUID(high: 1, low: 9)), key: "once", fresh: "fresh", digest: testDigest)
