import Domain

// The parameters of a change, both ways, and the changes that are of no family. They are read in the order of the
// specification (protocol §8), in which they are checked; `base` and `key` come last. They are written sorted by name.

extension SingleMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .batch: .batch(try params.read(.commands))
    case .undo: .undo(try UndoTarget(params))
    case .markRead: .markRead(try params.read(.anyStream), seq: try params.read(.readSeq))
    case .react:
      .react(
        try params.read(.category), event: try params.read(.completingEvent),
        post: try params.optional(.completedPost), sign: try params.optional(.sign))
    }
  }
}

extension Command {
  /// Adds the parameters, and those that are `sent` beside the command. The bytes that are hashed have none of these.
  func add(to fields: inout SortedFields, with sent: SentFields) {
    add(to: &fields)
    // A code is a secret: it is written only together with a key, so never into the bytes that are hashed.
    if case .invitation(.redeem(let code)) = self, sent.key != nil { fields.add(.code, code.text) }
    fields.add(.base, sent.base)
    fields.add(.key, sent.key)
  }

  func add(to fields: inout SortedFields) {
    switch self {
    case .account(let command): command.add(to: &fields)
    case .category(let command): command.add(to: &fields)
    case .post(let command): command.add(to: &fields)
    case .changeTag(let category, let id, let change): fields.add(change, of: id, in: category)
    case .changePersonal(let address, let change): change.add(to: &fields, at: address)
    case .group(let command): command.add(to: &fields)
    case .invitation(let command): command.add(to: &fields)
    case .person(let command): command.add(to: &fields)
    case .member(let command): command.add(to: &fields)
    case .link(let command): command.add(to: &fields)
    case .filter(let command): command.add(to: &fields)
    case .bot(let command): command.add(to: &fields)
    case .line(let command): command.add(to: &fields)
    case .markRead(let stream, let seq):
      fields.add(.anyStream, stream)
      fields.add(.readSeq, seq)
    case .react(let category, let event, let post, let sign):
      fields.add(.category, category)
      fields.add(.completingEvent, event)
      fields.add(.completedPost, post)
      fields.add(.sign, sign)
    case .batch(let commands): fields.add(.commands, commands)
    case .undo(let target): target.add(to: &fields)
    }
  }
}

/// The members that go with a command and are no part of it. The hash covers neither: a repeat has the same key, and a
/// client whose copy has moved on since may send another base without asking for something else.
struct SentFields {
  var key: CommandKey?
  var base: CommandBase?
}

// MARK: - Parameters

extension Parameter where S == StreamShape {
  fileprivate static var anyStream: Self {
    Self(
      "stream", S(letters: "cgu"),
      "the stream whose notifications are read: `c:`, `g:` or the sender's own `u:`")
  }
}

extension Parameter where S == IntegerShape<Int64> {
  fileprivate static var readSeq: Self {
    Self(
      "seq", S(range: 0...JSONNumber.integerMax),
      "the number of the event up to which they are read")
  }
}

extension Parameter where S == IntegerShape<Int64> {
  fileprivate static var completingEvent: Self {
    Self(
      "event", S(range: 1...JSONNumber.integerMax),
      "the number of the event that completed something")
  }
}

extension Parameter where S == IDShape<PostID> {
  fileprivate static var completedPost: Self {
    Self("post", S(), "the post that is meant; without it the first that the event completed")
  }
}

extension Parameter where S == SignShape {
  static var sign: Self {
    Self("sign", S(), "the sender's sign; without it the sender has none any more")
  }
}

extension Parameter where S == CommandsShape {
  fileprivate static var commands: Self {
    Self("commands", S(), "the commands, each with its parameters, but without `key` and `base`")
  }
}
