import Domain

// Parameters that methods of several families have. The others stand with their family.

extension Parameter where S == IDShape<CategoryID> {
  static var category: Self { Self("category", S(), "the category of the post") }
}

extension Parameter where S == IDShape<PostID> {
  static var post: Self { Self("id", S(), "the post") }
}

extension Parameter where S == StreamShape {
  /// A category or a group.
  static var list: Self {
    Self("stream", S(letters: "cg"), "the category or group")
  }
}

extension Parameter where S == IDShape<UserID> {
  static func user(_ meaning: String) -> Self { Self("user", S(), meaning) }
}

extension Parameter where S == RoleShape {
  static func role(_ meaning: String) -> Self { Self("role", S(), meaning) }
}

extension Parameter where S == UsernameShape {
  static func username(_ meaning: String) -> Self { Self("username", S(), meaning) }
}

extension Parameter where S == LineShape {
  static func name(_ meaning: String) -> Self {
    Self("name", S(scalars: 1...Limits.nameScalarsMax, named: "name"), meaning)
  }

  /// A text with the form of an IANA name. The server checks whether there is such a zone.
  static func zone(_ meaning: String) -> Self {
    Self("zone", S(scalars: 1...Params.zoneScalarsMax, named: "zone"), meaning)
  }

  static var title: Self { .title("one line") }

  static func title(_ meaning: String) -> Self {
    Self("title", S(scalars: 1...Limits.titleScalarsMax, named: "title"), meaning)
  }
}

extension Parameter where S == LinesShape {
  static var notes: Self { notes("several lines") }
  static var editedNotes: Self { notes("several lines; empty takes the notes away") }

  private static func notes(_ meaning: String) -> Self {
    Self("notes", S(scalars: 0...Limits.notesScalarsMax, named: "notes"), meaning)
  }
}

extension Parameter where S == IntegerShape<Int> {
  static var ifVersion: Self {
    Self(
      "ifVersion", S(range: 1...JSONNumber.integerMax),
      "the version of the post that the sender sees")
  }

  static func limit(_ max: Int) -> Self {
    Self("limit", S(range: 1...Int64(max)), "at most so many on a page")
  }

  static func days(_ range: ClosedRange<Int>, _ meaning: String) -> Self {
    Self("days", S(range: Int64(range.lowerBound)...Int64(range.upperBound)), meaning)
  }
}

extension Params {
  /// Reads how many are wanted on a page; the greatest number when it is not said.
  func limit(_ max: Int) throws(Refusal) -> Int { try read(.limit(max), or: max) }

  /// Reads where a post is.
  func address() throws(Refusal) -> PostAddress {
    PostAddress(category: try read(.category), post: try read(.post))
  }
}

extension SortedFields {
  mutating func add(_ address: PostAddress) {
    add(.category, address.category)
    add(.post, address.post)
  }
}

// MARK: - Beside every command

extension Parameter where S == KeyShape {
  static var key: Self { Self("key", S(), "one for each command; a repeat has the same") }
}

struct KeyShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> CommandKey {
    guard let key = CommandKey(try params.string(name)) else {
      throw params.invalid(name, "must be 1 to 64 of A-Z a-z 0-9 . _ : -")
    }
    return key
  }

  func write(_ value: CommandKey, to writer: inout JSONWriter) { writer.string(value.text) }
  var schema: String { Schema.common("key") }
  var example: String { Schema.quoted(Schema.exampleID) }
}

extension Parameter where S == BaseShape {
  static var base: Self {
    Self("base", S(), "the state on which the command was made (§10.4)")
  }
}

struct BaseShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> CommandBase {
    let it = try params.object(name)
    let epoch = try it.secret("epoch", bytes: 1...CursorPosition.epochBytesMax)
    return CommandBase(epoch: Epoch(epoch), seq: try it.int("seq", 0...JSONNumber.integerMax))
  }

  func write(_ value: CommandBase, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("epoch", value.epoch.text)
    writer.member("seq", value.seq)
    writer.endObject()
  }

  var schema: String { Schema.common("base") }
  var example: String { #"{"epoch":"e1","seq":7}"# }
}
