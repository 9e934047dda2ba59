import Domain

/// A parameter of a method, declared once. Requests are read and written by it, and the tables of protocol §8 and the
/// schemas are made from it.
struct Parameter<S: Shape>: Sendable {
  let name: String
  let shape: S
  /// The meaning of the value, as the table of protocol §8 says it.
  let meaning: String

  init(_ name: String, _ shape: S, _ meaning: String) {
    self.name = name
    self.shape = shape
    self.meaning = meaning
  }
}

// MARK: - Reading

extension Params {
  func read<S>(_ parameter: Parameter<S>) throws(Refusal) -> S.Value {
    if let list { return try list.required(parameter) }
    return try parameter.shape.read(self, parameter.name)
  }

  /// Reads the parameter if it is there.
  func optional<S>(_ parameter: Parameter<S>) throws(Refusal) -> S.Value? {
    if let list { return try list.optional(parameter) }
    guard has(parameter.name) else { return nil }
    return try parameter.shape.read(self, parameter.name)
  }

  /// Reads the parameter, or returns the value that it has when it is not there.
  func read<S>(
    _ parameter: Parameter<S>, or standard: @autoclosure () -> S.Value
  ) throws(Refusal) -> S.Value {
    if let list {
      let value = standard()
      return try list.optional(parameter, or: value) ?? value
    }
    guard has(parameter.name) else { return standard() }
    return try parameter.shape.read(self, parameter.name)
  }

  /// Refuses a request whose optional parameters, from `first` on, are all absent.
  func needsOne(
    from first: String, or others: String = "another field", _ isThere: Bool
  ) throws(Refusal) {
    if let list { return list.needsOne(from: first) }
    guard isThere else { throw invalid(first, "or \(others) must be there") }
  }

  /// Refuses a request that has none of these alternatives. Each is the names of the parameters that it needs. The
  /// first alternative whose first name is there is read.
  func needsOne(of alternatives: [String]..., or others: String) throws(Refusal) {
    if let list { return list.needsOne(of: alternatives) }
    guard alternatives.contains(where: { has($0[0]) }) else {
      throw invalid(alternatives[0][0], "or \(others) must be there")
    }
  }

  /// Lists alternatives of which the last one is read when no other is there, and refused when it is missing.
  func listAlternatives(_ alternatives: [String]...) { list?.needsOne(of: alternatives) }
}

// MARK: - Writing

extension SortedFields {
  /// Adds the parameter, or nothing for nil.
  mutating func add<S>(_ parameter: Parameter<S>, _ value: S.Value?) {
    guard let value else { return }
    add(parameter.name) { writer in
      writer.key(parameter.name)
      parameter.shape.write(value, to: &writer)
    }
  }
}
