import Domain

// The fields of a change beside those of its family, both ways, and the changes that are of no family. Fields are read
// in the order of the specification (protocol §8), in which they are checked; `key` comes last. They are written sorted
// by name.

extension SingleMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    switch self {
    case .batch: try .batch(params)
    case .undo: .undo(try UndoTarget(params))
    case .markRead:
      .markRead(
        try params.stream("stream", "cgu"), seq: try params.int("seq", 0...JSONNumber.integerMax))
    }
  }
}

extension PersonalMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    .changePersonal(try params.address(), try PersonalChange(self, params))
  }
}

extension Command {
  /// Reads a batch. Each command is judged as if it came alone, and an error names its place.
  fileprivate static func batch(_ params: Params) throws(Refusal) -> Command {
    var commands: [Command] = []
    for element in try params.elements("commands") {
      guard commands.count < Limits.batchCommandsMax else {
        throw params.tooLarge("commands", max: Limits.batchCommandsMax)
      }
      guard element.kind == .object else { throw params.invalid("commands", "must be objects") }
      do throws(Refusal) {
        commands.append(try part(params.inner(element)))
      } catch {
        throw .inBatch(index: commands.count, error)
      }
    }
    guard !commands.isEmpty else { throw params.invalid("commands", "is empty") }
    return .batch(commands)
  }

  private static func part(_ it: Params) throws(Refusal) -> Command {
    guard let method = Method(named: try it.string("method")), method.row.standsInBatch else {
      throw it.invalid("method", "must be one that a batch takes")
    }
    var params = it.inner(nil)
    if it.has("params") {
      let value = try it.value("params")
      guard value.kind == .object else { throw it.invalid("params", "must be an object") }
      params = it.inner(value)
    }
    guard case .command(let command) = try method.read(params) else {
      throw it.invalid("method", "must be one that a batch takes")
    }
    return command
  }
}

extension Command {
  /// Writes the members, sorted by name. Those that are `sent` beside the command stand where they sort; they are left
  /// out of the bytes that are hashed.
  func writeFields(_ sent: SentFields, to writer: inout JSONWriter) {
    var fields = SortedFields()
    add(to: &fields)
    // A code is a secret: it is written only together with a key, so never into the bytes that are hashed.
    if case .invitation(.redeem(let code)) = self, sent.key != nil { fields.add("code", code.text) }
    if let base = sent.base { fields.add("base") { $0.member("base", base) } }
    fields.add("key", sent.key?.text)
    fields.write(to: &writer)
  }

  private func add(to fields: inout SortedFields) {
    switch self {
    case .account(let command): command.add(to: &fields)
    case .category(let command): command.add(to: &fields)
    case .post(let command): command.add(to: &fields)
    case .changeTag(let category, let id, let change):
      fields.add("category", category.uuid)
      fields.add("id", id.uuid)
      change.add(to: &fields)
    case .changePersonal(let address, let change): change.add(to: &fields, at: address)
    case .group(let command): command.add(to: &fields)
    case .invitation(let command): command.add(to: &fields)
    case .person(let command): command.add(to: &fields)
    case .member(let command): command.add(to: &fields)
    case .link(let command): command.add(to: &fields)
    case .filter(let command): command.add(to: &fields)
    case .markRead(let stream, let seq):
      fields.add("stream", stream)
      fields.add("seq", seq)
    case .batch(let commands): fields.add("commands") { $0.member("commands", commands) }
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

extension UndoTarget {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add("stream", stream)
    fields.add("seen", seen)
    fields.add("events") { [events] in $0.member("events", events) }
  }
}

extension JSONWriter {
  /// Writes commands, each with its method and parameters, without a key.
  fileprivate mutating func member(_ name: String, _ commands: [Command]) {
    key(name)
    beginArray()
    for command in commands {
      beginObject()
      member("method", command.method.name)
      key("params")
      beginObject()
      command.writeFields(SentFields(), to: &self)
      endObject()
      endObject()
    }
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ base: CommandBase) {
    key(name)
    beginObject()
    member("epoch", base.epoch.text)
    member("seq", base.seq)
    endObject()
  }
}
