import Domain

/// A value that a post, a personal thing or a setting has, spelled there as here. Nil is its default value.
struct MemberShape<Value: MemberValue>: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> Value? {
    try Value.asked(params, name)
  }

  func write(_ value: Value?, to writer: inout JSONWriter) {
    if let value { value.write(to: &writer) } else { writer.null() }
  }

  var schema: String { Value.schema }
  var example: String { Value.example }
}

// A value of such a shape is an optional itself. These make one optional of two.

extension Params {
  /// Reads the parameter. Nil where it is not there, and for the default value.
  func optional<Value: MemberValue>(
    _ parameter: Parameter<MemberShape<Value>>
  ) throws(Refusal) -> Value? {
    if let list { return try list.optional(parameter) ?? nil }
    return has(parameter.name) ? try Value.asked(self, parameter.name) : nil
  }

  /// Reads a parameter whose value null takes away. One of both must be there.
  func readOrNull<Value: MemberValue>(
    _ parameter: Parameter<MemberShape<Value>>
  ) throws(Refusal) -> Value? {
    if let list { return try list.required(parameter, takesNull: true) }
    return try value(parameter.name).isNull ? nil : Value.asked(self, parameter.name)
  }

  /// Reads a change. `takesNull` says whether null takes the value away, which it cannot where something new is made.
  func change<Value: MemberValue>(
    _ parameter: Parameter<MemberShape<Value>>, takesNull: Bool
  ) throws(Refusal) -> FieldChange<Value> {
    let name = parameter.name
    if let list {
      return try list.optional(parameter, takesNull: takesNull)?.map { .set($0) } ?? .keep
    }
    guard has(name) else { return .keep }
    if takesNull, try value(name).isNull { return .clear }
    if let value = try Value.asked(self, name) { return .set(value) }
    // This is the default value.
    return takesNull ? .clear : .keep
  }
}

extension SortedFields {
  mutating func add<Value: MemberValue>(
    _ parameter: Parameter<MemberShape<Value>>, _ value: Value?
  ) {
    if let value { add(parameter, change: .set(value)) }
  }

  /// Adds the parameter, as null for nil.
  mutating func addOrNull<Value: MemberValue>(
    _ parameter: Parameter<MemberShape<Value>>, _ value: Value?
  ) {
    add(parameter, change: value.map { .set($0) } ?? .clear)
  }

  /// Adds a change: nothing where the value stays, null where it goes.
  mutating func add<Value: MemberValue>(
    _ parameter: Parameter<MemberShape<Value>>, change: FieldChange<Value>
  ) {
    if change != .keep { add(parameter.name) { $0.member(parameter.name, change) } }
  }
}
