package import Domain

/// Everything of one kind that holds at the moment in one stream. It replaces what was told before.
package struct EphemeralSet: Equatable, Sendable {
  package let stream: StreamID
  package let kind: EphemeralKind
  /// The number of entries.
  package let count: Int
  /// The entries by user, then post. Nil when there are too many to be listed (`Limits.ephemeralsListedMax`).
  package let entries: [EphemeralEntry]?

  package init(stream: StreamID, kind: EphemeralKind, count: Int, entries: [EphemeralEntry]?) {
    self.stream = stream
    self.kind = kind
    self.count = count
    self.entries = entries
  }
}

/// A person who is here, is typing, or tells how far a post is.
package struct EphemeralEntry: Equatable, Sendable {
  package let user: UserID
  /// The post of `progress`, and of `typing` at a post.
  package let post: PostID?
  /// The progress. Only entries of `progress` have it.
  package let progress: Progress?

  package init(user: UserID, post: PostID? = nil, progress: Progress? = nil) {
    self.user = user
    self.post = post
    self.progress = progress
  }
}

extension EphemeralSet {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("kind", kind.rawValue)
    writer.member("count", count)
    guard let entries else { return }
    writer.members("entries", entries) { entry, writer in
      writer.member("user", entry.user.uuid)
      writer.member("post", ifPresent: entry.post?.uuid)
      writer.member("done", ifPresent: entry.progress?.done)
      writer.member("of", ifPresent: entry.progress?.of)
      writer.member("text", ifPresent: entry.progress?.text)
    }
  }

  /// Reads a set. Nil for a kind that this version does not know.
  init?(_ params: StoredFields) throws(WireError) {
    guard let kind = EphemeralKind(rawValue: try params.string("kind")) else { return nil }
    var entries: [EphemeralEntry]?
    if params.has("entries") {
      var listed: [EphemeralEntry] = []
      for node in try params.elements("entries") {
        listed.append(try EphemeralEntry(StoredFields(node), kind))
      }
      entries = listed
    }
    self.init(
      stream: try params.stream("stream"), kind: kind, count: try params.int("count"),
      entries: entries)
  }
}

extension EphemeralEntry {
  fileprivate init(_ fields: StoredFields, _ kind: EphemeralKind) throws(WireError) {
    let post = try fields.optionalUUID("post").map(PostID.init)
    self.init(
      user: UserID(try fields.uuid("user")), post: post,
      progress: kind == .progress ? try Progress(fields) : nil)
  }
}

extension Progress {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    let (done, of) = (try fields.int("done"), try fields.int("of"))
    guard 1...Progress.ofMax ~= of else { throw .malformed("of") }
    guard 0...of ~= done else { throw .malformed("done") }
    self.init(done: done, of: of, text: try fields.optionalString("text"))
  }
}
