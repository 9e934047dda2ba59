import Domain

/// The commands of a batch. Each is judged as if it came alone, and an error names its place.
struct CommandsShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [Command] {
    var commands: [Command] = []
    for element in try params.elements(name) {
      guard commands.count < Limits.batchCommandsMax else {
        throw params.tooLarge(name, max: Limits.batchCommandsMax)
      }
      guard element.kind == .object else { throw params.invalid(name, "must be objects") }
      do throws(Refusal) {
        commands.append(try CommandsShape.command(params.inner(element)))
      } catch {
        throw .inBatch(index: commands.count, error)
      }
    }
    guard !commands.isEmpty else { throw params.invalid(name, "is empty") }
    return commands
  }

  private static func command(_ it: Params) throws(Refusal) -> Command {
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

  /// Writes commands, each with its method and parameters, without a key.
  func write(_ commands: [Command], to writer: inout JSONWriter) {
    writer.array(commands) { command, writer in
      writer.beginObject()
      writer.member("method", command.method.name)
      writer.key("params")
      writer.beginObject()
      var fields = SortedFields()
      command.add(to: &fields)
      fields.write(to: &writer)
      writer.endObject()
      writer.endObject()
    }
  }

  var schema: String {
    let names = Method.allCases.filter(\.row.standsInBatch).map(\.name)
    let command =
      #"{"type":"object","required":["method"],"properties":{"method":\#(Schema.words(names)),"#
      + #""params":{"type":"object"}}}"#
    return #"{"type":"array","minItems":1,"maxItems":\#(Limits.batchCommandsMax),"#
      + #""items":\#(command),"#
      + #""description":"1–\#(Limits.batchCommandsMax) of {`method`, `params`}"}"#
  }

  var example: String {
    #"[{"method":"group.add","params":{"id":"\#(Schema.exampleID)","name":"family"}}]"#
  }
}
