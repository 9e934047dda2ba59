import Domain
import TestRandom
import Testing
import Wire

/// One body of a hook.
struct HookCase: CustomTestStringConvertible, Sendable {
  let form: HookForm
  let body: String
  /// Parts of the request as it is compared (protocol §10.2), or the field that is wrong and the reason.
  let says: [String]

  init(_ form: HookForm, _ body: String, _ says: String...) {
    (self.form, self.body, self.says) = (form, body, says)
  }

  var testDescription: String { "\(form) \(body)" }
}

@Suite("protocol §5.17: the body of a hook")
struct HookReportTests {
  private static let list = CategoryID(UUID(high: 2, low: 1))
  private static let bot = UserID(UUID(high: 1, low: 9))

  static func names(
    _ key: String? = "once", user: UserID = bot, fresh: String = "fresh"
  ) -> HookNames {
    HookNames(user: user, key: key, fresh: fresh, digest: testDigest)
  }

  private func requests(
    _ form: HookForm, _ body: [UInt8], _ names: HookNames = HookReportTests.names(),
    known: HookSubject? = nil
  ) throws(Failure) -> HookRequests {
    let report = try HookReport(body, as: form)
    do throws(Failure) {
      let subject = known ?? .new(report.newPost(in: Self.list, names, attempt: 0))
      return try report.requests(in: Self.list, about: subject, names)
    } catch {
      throw report.told(error)
    }
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Taken

  private static let taken: [HookCase] = [
    HookCase(.text, "build green", "post.add", #""title":"build green""#),
    HookCase(.form, "build green", "post.add", #""title":"build green""#),
    HookCase(.form, "2+2=4 & more=fine", "post.add", #""title":"2+2=4 & more=fine""#),
    HookCase(.form, "100% of it", "post.add", #""title":"100% of it""#),
    HookCase(
      .text, "\n \r\nbuild red\r\n\nfirst\n  second \n\n", "post.add", #""title":"build red""#,
      #""notes":"first\n  second""#),
    HookCase(.text, "a\u{200B}b\u{2028}c\r\nd", "post.add", #""title":"ab c""#, #""notes":"d""#),
    HookCase(
      .form, "see https://example.org/?a=1&id=5", #""title":"see https://example.org/?a=1&id=5""#),
    HookCase(.form, "title=build green&notes=fine", #""title":"build green""#, #""notes":"fine""#),
    HookCase(
      .form, "title=a+b%26c&notes=&priority=high", "post.add", #""title":"a b&c""#,
      #""priority":"high""#),
    HookCase(.form, "&&title=x&", "post.add", #""title":"x""#),
    HookCase(.form, "%74itle=x", "post.add", #""title":"x""#),
    HookCase(.json, #"{"title":"x","due":"2027-01-04"}"#, #""due":{"date":"2027-01-04"}"#),
    HookCase(
      .json, #"{"title":"x","due":"2027-01-04T09:30","zone":"Europe/Lisbon"}"#,
      #""due":{"at":"2027-01-04T09:30","zone":"Europe/Lisbon"}"#),
    HookCase(.json, #"{"title":"x","notes":null}"#, "post.add", #""title":"x""#),
    HookCase(
      .json, #"{"id":7,"title":"disk full","url":"https://example.org/7"}"#, "import.upsert",
      #""source":{"id":"7","name":"hook","url":"https://example.org/7"}"#),
    HookCase(
      .json, #"{"id":"7","source":"alerts","title":"disk full","done":true}"#, "batch",
      "import.upsert", #""name":"alerts""#, "post.complete"),
    HookCase(
      .form, "id=7&title=disk+full&done=false", "batch", "import.upsert", "post.reopen"),
    HookCase(
      .form, "job=nightly&state=ok", "batch", #""source":{"id":"nightly","name":"jobs"}"#,
      #""title":"nightly""#, "post.reopen", "run.start", "run.end", #""outcome":"ok""#),
    HookCase(
      .form, "job=nightly&state=failed&text=exit+3&title=Nightly+build",
      #""title":"Nightly build""#,
      #""outcome":"failed""#, #""text":"exit 3""#),
    HookCase(.form, "job=nightly&state=cancelled&run=7", #""outcome":"cancelled""#),
    HookCase(
      .form, "job=nightly&state=failed&text=%1b%5b31mbroken%1b%5b0m+%E9%0d%07",
      #""text":"broken �""#),
    HookCase(
      .json, #"{"job":"nightly","state":"failed","text":"\u001b[1m"}"#, #""outcome":"failed""#),
    HookCase(
      .form, "job=nightly&state=failed&text=\(String(repeating: "x", count: 9_000))",
      #""text":"\#(String(repeating: "x", count: 500))""#),
    HookCase(.form, "job=nightly&state=success", #""outcome":"ok""#),
    HookCase(.form, "job=nightly&state=failure", #""outcome":"failed""#),
    HookCase(
      .form, "job=nightly&state=started&run=7&phase=compile&lease=60", #""leaseMs":60000"#,
      #""phase":"compile""#, "run.start"),
    HookCase(.form, "job=nightly&state=started&run=7", #""leaseMs":3600000"#),
    HookCase(.json, #"{"job":"nightly","run":7,"phase":"link"}"#, "run.phase", #""phase":"link""#),
  ]

  @Test("is one request of the protocol", arguments: taken)
  func isRequest(_ row: HookCase) throws {
    let request = try #require(requests(row.form, Array(row.body.utf8)).ways.first?.first)
    let canonical = text(request.canonical)
    for part in row.says { #expect(canonical.contains(part), "\(canonical)") }
    guard case .command = request.request else {
      Issue.record("no command")
      return
    }
  }

  // MARK: Refused

  private static let refused: [HookCase] = [
    HookCase(.text, "", "title", "is missing"),
    HookCase(.text, " \r\n\t", "title", "is missing"),
    HookCase(.form, "title=", "title", "is empty"),
    HookCase(.form, "title=x&title=y", "title", "is there twice"),
    HookCase(.form, "title=x&tilte=y", "tilte", "is no field of a hook"),
    HookCase(.form, "tilte=x&title=y", "tilte", "is no field of a hook"),
    HookCase(.form, "title=x&zone=Europe/Lisbon", "zone", "of a due with a time"),
    HookCase(.form, "title=x&due=2027-01-04&zone=Europe/Lisbon", "zone", "of a due with a time"),
    HookCase(.form, "job=nightly&state=ok&run=", "run", "is empty"),
    HookCase(.form, "job=nightly&run=+&phase=x", "run", "is empty"),
    HookCase(.form, "title=%", "title", "is not UTF-8"),
    HookCase(.form, "title=%4", "title", "is not UTF-8"),
    HookCase(.form, "title=%FF", "title", "is not UTF-8"),
    HookCase(.form, "title=x&%FF=y", "body", "cannot be read"),
    HookCase(.form, "title=x&due=tomorrow", "due", "must be a day"),
    HookCase(.form, "title=x&due=2027-01-04T09:30", "zone", "is missing"),
    HookCase(.form, "title=x&priority=urgent", "priority", "must be low"),
    HookCase(.form, "title=x&list=builds", "list", "is no id of a list"),
    HookCase(.form, "title=x&done=true", "done", "is no field of a post"),
    HookCase(.form, "title=x&state=ok", "state", "is no field of a post"),
    HookCase(.form, "id=7", "title", "is empty"),
    HookCase(.form, "id=7&title=x&done=yes", "done", "neither true nor false"),
    HookCase(.form, "id=7&title=x&url=ftp://a", "url", "must begin with https"),
    HookCase(.form, "id=7&title=x&job=y", "id", "is no field of a job"),
    HookCase(.form, "id=&title=x", "id", "is empty"),
    HookCase(.form, "job=&state=ok", "job", "is empty"),
    HookCase(.form, "job=nightly", "state", "is missing"),
    HookCase(.form, "job=nightly&state=lost", "state", "is none of"),
    HookCase(.form, "job=nightly&state=-1", "state", "is none of"),
    HookCase(.form, "job=nightly&state=started", "run", "is missing"),
    HookCase(.form, "job=nightly&phase=link", "run", "is missing"),
    HookCase(.form, "job=nightly&state=ok&phase=link", "phase", "goes on"),
    HookCase(.form, "job=nightly&state=ok&lease=60", "lease", "goes on"),
    HookCase(.form, "job=nightly&run=7&state=started&text=x", "text", "is over"),
    HookCase(.form, "job=nightly&run=7&state=started&lease=19", "lease", "from 20 to 604800"),
    HookCase(.form, "job=nightly&run=7&state=started&lease=x", "lease", "from 20 to 604800"),
    HookCase(.form, "job=nightly&run=7&phase=", "phase", "is empty"),
    HookCase(.json, "[]", "body", "JSON object"),
    HookCase(.json, #""title""#, "body", "JSON object"),
    HookCase(.json, #"{"title":["x"]}"#, "title", "neither a text"),
    HookCase(.json, #"{"title":1.5}"#, "title", "neither a text"),
    HookCase(.json, #"{"title":"x","percent":50}"#, "percent", "is no field of a hook"),
    HookCase(.json, #"{"title":"a\u0007b"}"#, "title", "holds U+0007"),
  ]

  @Test("is refused with the name of the field that is wrong", arguments: refused)
  func isWrong(_ row: HookCase) {
    let failure = #expect(throws: Failure.self) {
      _ = try requests(row.form, Array(row.body.utf8))
    }
    guard case .refused(let refusal)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    switch refusal {
    case .invalid(let field, let reason, _):
      #expect(field == row.says[0])
      #expect(reason.contains(row.says[1]), "\(reason)")
    case .tooLarge(let field, _): #expect(field == row.says[0])
    default: Issue.record("\(refusal)")
    }
  }

  @Test("is refused where it is too long, or no text, or no JSON")
  func tooLong() {
    let long = String(repeating: "x", count: 501)
    for (body, field, max) in [
      ("title=\(long)", "title", 500), ("id=7&title=\(long)", "title", 500),
      ("id=\(long)&title=x", "id", 200), ("job=\(long)&state=ok", "job", 200),
      ("job=a&run=1&phase=\(long)", "phase", 120),
    ] {
      let failure = #expect(throws: Failure.self) { _ = try requests(.form, Array(body.utf8)) }
      #expect(failure == .refused(.tooLarge(field: field, max: max)))
    }
    #expect(throws: Failure.self) { try requests(.text, [0x61, 0xFF]) }
    for body in ["", "{", #"{"title":"x","title":"y"}"#] {
      let failure = #expect(throws: Failure.self) { _ = try requests(.json, Array(body.utf8)) }
      #expect(failure?.kind == .parse)
    }
  }

  // MARK: Ids and keys

  @Test("means the same post again where it is about the same thing, and another where it is not")
  func ids() throws {
    func post(_ body: String, _ names: HookNames = HookReportTests.names()) throws -> PostID {
      try requests(.form, Array(body.utf8), names).post
    }
    let other = Self.names("other", user: UserID(UUID(high: 1, low: 8)))
    let job = try post("job=a&state=ok")
    #expect(try post("job=a&run=1&phase=x", other) == job)
    #expect(try post("job=b&state=ok") != job)
    #expect(try post("id=a&title=x") != job)
    #expect(try post("id=a&title=x") == post("id=a&title=y", other))
    #expect(try post("id=a&title=x") != post("id=a&title=x&source=y"))
    #expect(try post("title=x") == post("title=y"))
    #expect(try post("title=x") != post("title=x", other))
    let report = try HookReport(Array("id=a&title=x".utf8), as: .form)
    let ids = (0..<9).map { report.newPost(in: Self.list, Self.names(), attempt: $0) }
    #expect(Set(ids).count == 9)
  }

  /// Returns the keys of the requests of a report.
  private func keys(_ body: String, _ names: HookNames) throws -> [CommandKey] {
    let requests = try requests(.form, Array(body.utf8), names)
    return requests.ways.joined().compactMap { envelope in
      if case .command(_, let key, _) = envelope.request { key } else { nil }
    }
  }

  @Test("has one key for both of its requests, the same where it is repeated")
  func keys() throws {
    let body = "job=a&run=7&state=ok"
    let (one, two) = (try keys(body, Self.names("one")), try keys(body, Self.names("two")))
    #expect(one.count == 2 && Set(one).count == 1)
    #expect(try keys(body, Self.names("one", fresh: "another")) == one && two != one)
    #expect(try keys(body, Self.names(nil)) != keys(body, Self.names(nil, fresh: "another")))
    #expect(try keys(body, Self.names("one", user: UserID(UUID(high: 1, low: 8)))) != one)
  }

  @Test("says of a run that is known already only how it ended")
  func second() throws {
    let requests = try requests(.form, Array("job=a&run=7&state=ok".utf8))
    let second = text(try #require(requests.ways.first?.last?.canonical))
    #expect(requests.ways.map(\.count) == [2])
    #expect(second.contains("run.end") && !second.contains("run.start"))
    let started = try self.requests(.form, Array("job=a&run=7&state=started".utf8))
    #expect(started.ways.map(\.count) == [1])
  }

  @Test("leaves the known post of a job as it is, unless it has a title")
  func known() throws {
    let post = PostID(UUID(high: 5, low: 1))
    let known = HookSubject.known(post)
    for (body, says) in [
      ("job=a&state=ok", false), ("job=a&state=ok&title=A", true), ("id=a&title=x", true),
    ] {
      let requests = try requests(.form, Array(body.utf8), known: known)
      let canonical = text(try #require(requests.ways.first?.first?.canonical))
      #expect(requests.post == post && canonical.contains("\(post)"))
      #expect(canonical.contains("import.upsert") == says)
    }
  }

  @Test("can be said again in the way in which it was said when its post was new")
  func ways() throws {
    let post = PostID(UUID(high: 5, low: 1))
    for (body, isSame) in [("job=a&run=7&state=ok", false), ("id=a&title=x&done=true", true)] {
      let bytes = Array(body.utf8)
      let new = try requests(.form, bytes, known: .new(post))
      let again = try requests(.form, bytes, known: .known(post))
      #expect(new.ways.count == 1 && again.ways.count == (isSame ? 1 : 2))
      #expect(again.ways.last == new.ways.first)
    }
  }
}
