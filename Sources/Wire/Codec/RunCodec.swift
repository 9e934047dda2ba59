package import Domain

// Reads and writes the runs of a post, and the ops about them.

extension PostRun {
  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      id: RunID(try fields.uuid("id")), user: UserID(try fields.uuid("user")),
      startedAt: try fields.time("startedAt"), seq: try fields.int64("seq"),
      lease: try fields.int64("leaseMs"), phase: try fields.optionalString("phase"))
  }
}

extension EndedRun {
  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      id: RunID(try fields.uuid("id")), user: UserID(try fields.uuid("user")),
      outcome: try fields.word("outcome", RunOutcome.init(rawValue:)),
      startedAt: try fields.time("startedAt"), endedAt: try fields.time("endedAt"),
      seq: try fields.int64("seq"), text: try fields.optionalString("text"),
      usual: try fields.optionalInt("usualMs").map(Int64.init))
  }
}

extension JSONWriter {
  mutating func member(_ name: String, _ run: PostRun) {
    key(name)
    beginObject()
    member("id", run.id.uuid)
    member("user", run.user.uuid)
    member("startedAt", run.startedAt)
    member("seq", run.seq)
    member("leaseMs", run.lease)
    member("phase", ifPresent: run.phase)
    endObject()
  }

  mutating func member(_ name: String, _ run: EndedRun) {
    key(name)
    beginObject()
    member("id", run.id.uuid)
    member("user", run.user.uuid)
    member("outcome", run.outcome.rawValue)
    member("startedAt", run.startedAt)
    member("endedAt", run.endedAt)
    member("seq", run.seq)
    member("text", ifPresent: run.text)
    member("usualMs", ifPresent: run.usual)
    endObject()
  }
}

extension RunOp {
  package enum Kind: String, CaseIterable, Sendable {
    case started = "run.started"
    case phase = "run.phase"
    case ended = "run.ended"
  }

  package var kind: Kind {
    switch self {
    case .started: .started
    case .phase: .phase
    case .ended: .ended
    }
  }

  func write(of post: PostID, to writer: inout JSONWriter) {
    writer.op(id: post.uuid) { writer in
      switch self {
      case .started(let run, let user, let lease, let phase):
        writer.member("run", run.uuid)
        writer.member("user", user.uuid)
        writer.member("leaseMs", lease)
        writer.member("phase", ifPresent: phase)
      case .phase(let run, let phase):
        writer.member("run", run.uuid)
        writer.member("phase", phase)
      case .ended(let end): end.writeFields(to: &writer)
      }
    }
  }

  init(_ kind: Kind, _ fields: StoredFields) throws(WireError) {
    let run = RunID(try fields.uuid("run"))
    switch kind {
    case .started:
      self = .started(
        run, UserID(try fields.uuid("user")), lease: try fields.int64("leaseMs"),
        phase: try fields.optionalString("phase"))
    case .phase: self = .phase(run, try fields.string("phase"))
    case .ended: self = .ended(try RunEnd(run, fields))
    }
  }
}

extension RunEnd {
  fileprivate init(_ run: RunID, _ fields: StoredFields) throws(WireError) {
    self.init(
      run: run, user: UserID(try fields.uuid("user")),
      outcome: try fields.word("outcome", RunOutcome.init(rawValue:)),
      startedAt: try fields.time("startedAt"), text: try fields.optionalString("text"),
      usual: try fields.optionalInt("usualMs").map(Int64.init),
      recovers: try fields.has("recovers") ? fields.bool("recovers") : false)
  }

  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("run", run.uuid)
    writer.member("user", user.uuid)
    writer.member("outcome", outcome.rawValue)
    writer.member("startedAt", startedAt)
    writer.member("text", ifPresent: text)
    writer.member("usualMs", ifPresent: usual)
    if recovers { writer.member("recovers", true) }
  }
}
