package import Domain

/// The answer to a `HistoryQuery`, by its kind.
package enum HistoryAnswer: Equatable, Sendable {
  case events(HistoryPage)
  case state(PastStatePage)
  case difference(DifferencePage)
  case undo(UndoPreview)

  package init(decoding node: JSONNode, to query: HistoryQuery) throws(WireError) {
    switch query {
    case .events: self = .events(try HistoryPage(decoding: node))
    case .state: self = .state(try PastStatePage(decoding: node))
    case .difference: self = .difference(try DifferencePage(decoding: node))
    case .undo: self = .undo(try UndoPreview(decoding: node))
    }
  }

  func writeFields(to writer: inout JSONWriter) {
    switch self {
    case .events(let it): it.writeFields(to: &writer)
    case .state(let it): it.writeFields(to: &writer)
    case .difference(let it): it.writeFields(to: &writer)
    case .undo(let it): it.writeFields(to: &writer)
    }
  }
}

/// Events, newest first, with the present names that are needed to read them.
package struct HistoryPage: Equatable, Sendable {
  package struct Line: Equatable, Sendable {
    package let seq: Int64
    /// The event as it was pushed.
    package let body: [UInt8]
    package init(seq: Int64, body: [UInt8]) {
      self.seq = seq
      self.body = body
    }

    package func event() throws(WireError) -> Event { try EventCodec.decode(body, seq: seq) }
  }

  package struct Person: Equatable, Sendable {
    package let id: UserID
    package let username: String
    package let name: String
    package init(id: UserID, username: String, name: String) {
      self.id = id
      self.username = username
      self.name = name
    }
  }

  package struct Subject: Equatable, Sendable {
    package let id: PostID
    package let number: Int
    package let title: String
    package init(id: PostID, number: Int, title: String) {
      self.id = id
      self.number = number
      self.title = title
    }
  }

  package let lines: [Line]
  package let people: [Person]
  package let posts: [Subject]
  /// The value for `before` in the next question. Nil when there is nothing older.
  package let before: Int64?

  package init(lines: [Line], people: [Person], posts: [Subject], before: Int64?) {
    self.lines = lines
    self.people = people
    self.posts = posts
    self.before = before
  }
}

/// A page of a list as it was.
package struct PastStatePage: Equatable, Sendable {
  /// The number and the time of the event after which the list was like this.
  package let seq: Int64
  package let at: Timestamp
  package let page: Int
  package let pages: Int
  /// The objects as snapshots have them.
  package let bodies: [[UInt8]]

  package init(seq: Int64, at: Timestamp, page: Int, pages: Int, bodies: [[UInt8]]) {
    self.seq = seq
    self.at = at
    self.page = page
    self.pages = pages
    self.bodies = bodies
  }
}

/// A page of the differences between two states.
package struct DifferencePage: Equatable, Sendable {
  /// One object before and after, as snapshots have it. Nil where it was not in the list.
  package struct Change: Equatable, Sendable {
    package let before: [UInt8]?
    package let after: [UInt8]?
    package init(before: [UInt8]?, after: [UInt8]?) {
      self.before = before
      self.after = after
    }
  }

  package let page: Int
  package let pages: Int
  package let changes: [Change]

  package init(page: Int, pages: Int, changes: [Change]) {
    self.page = page
    self.pages = pages
    self.changes = changes
  }
}

// MARK: - Coding as JSON

extension HistoryPage {
  func writeFields(to writer: inout JSONWriter) {
    writer.members("events", lines) { line, writer in
      writer.member("seq", line.seq)
      writer.key("event")
      writer.raw(line.body)
    }
    writer.members("people", people) { person, writer in
      writer.member("id", person.id.uuid)
      writer.member("username", person.username)
      writer.member("name", person.name)
    }
    writer.members("posts", posts) { post, writer in
      writer.member("id", post.id.uuid)
      writer.member("number", post.number)
      writer.member("title", post.title)
    }
    if let before { writer.member("before", before) }
  }

  init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var lines: [Line] = []
    for element in try fields.elements("events") {
      let line = try StoredFields(element)
      lines.append(Line(seq: try line.int64("seq"), body: Array(try line.node("event").rawBytes)))
    }
    var people: [Person] = []
    for element in try fields.elements("people") {
      let person = try StoredFields(element)
      people.append(
        Person(
          id: UserID(try person.uuid("id")), username: try person.string("username"),
          name: try person.string("name")))
    }
    var posts: [Subject] = []
    for element in try fields.elements("posts") {
      let post = try StoredFields(element)
      posts.append(
        Subject(
          id: PostID(try post.uuid("id")), number: try post.int("number"),
          title: try post.string("title")))
    }
    self.init(
      lines: lines, people: people, posts: posts, before: try fields.optionalInt64("before"))
  }
}

extension PastStatePage {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("seq", seq)
    writer.member("at", at)
    writer.member("page", page)
    writer.member("pages", pages)
    writer.member("objects", raw: bodies)
  }

  init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var bodies: [[UInt8]] = []
    for element in try fields.elements("objects") { bodies.append(Array(element.rawBytes)) }
    self.init(
      seq: try fields.int64("seq"), at: try fields.time("at"), page: try fields.int("page"),
      pages: try fields.int("pages"), bodies: bodies)
  }
}

extension DifferencePage {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("page", page)
    writer.member("pages", pages)
    writer.members("changes", changes) { change, writer in
      if let before = change.before {
        writer.key("before")
        writer.raw(before)
      }
      if let after = change.after {
        writer.key("after")
        writer.raw(after)
      }
    }
  }

  init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var changes: [Change] = []
    for element in try fields.elements("changes") {
      let change = try StoredFields(element)
      changes.append(
        Change(
          before: change.optionalNode("before").map { Array($0.rawBytes) },
          after: change.optionalNode("after").map { Array($0.rawBytes) }))
    }
    self.init(
      page: try fields.int("page"), pages: try fields.int("pages"), changes: changes)
  }
}
