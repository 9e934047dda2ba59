import Domain

/// The parameters of one method, in the order in which they are checked. They are gathered from the code that reads
/// them, by a request that has an example of each.
package final class ParameterList {
  package private(set) var rows: [ParameterRow] = []
  /// Lists of alternatives, each with the names that it needs. A request has one alternative of each list, or more.
  package private(set) var rules: [[[String]]] = []

  /// Those alternatives of which a request reads only the first that it has.
  private var branches: [[String]] = []
  /// The names that the described request lacks.
  private var hidden: Set<String> = []
  /// The index behind the row that was read last.
  private var place = 0
  /// The names that the described request has read as required ones.
  private var required: Set<String> = []

  /// Gathers what `read` reads, with one request for each of the `branches`.
  init(of read: (Params) throws(Refusal) -> Void) throws(Refusal) {
    try gather(read)
    for taken in branches.indices.dropFirst() {
      hidden = Set(branches[..<taken].map { $0[0] })
      try gather(read)
    }
  }

  private func gather(_ read: (Params) throws(Refusal) -> Void) throws(Refusal) {
    let isFirst = rows.isEmpty
    let known = Set(rows.map(\.name))
    required = []
    place = 0
    try read(Params(describing: self))
    // A parameter is required when every branch needs it.
    for index in rows.indices {
      let name = rows[index].name
      let wasNeeded = isFirst || known.contains(name) && rows[index].isRequired
      rows[index].isRequired = wasNeeded && required.contains(name)
    }
  }

  func has(_ name: String) -> Bool { !hidden.contains(name) }
}

/// One parameter of a method, for its documents.
package struct ParameterRow: Equatable, Sendable {
  package let name: String
  /// A JSON Schema. A reference leads into `protocol/schema/common.json`.
  package let schema: String
  package fileprivate(set) var isRequired: Bool
  /// The value that it has when it is not there, as JSON. Nil when there is none.
  package let standard: String?
  /// A value that is accepted, as JSON.
  package let example: String
  package let meaning: String
}

// MARK: - A request that describes itself

extension ParameterList {
  /// Notes a parameter that must be there.
  func required<S>(_ parameter: Parameter<S>, takesNull: Bool = false) throws(Refusal) -> S.Value {
    required.insert(parameter.name)
    note(parameter, takesNull: takesNull)
    return try parameter.example()
  }

  /// Notes a parameter that may be there. Nil where this request lacks it.
  func optional<S>(
    _ parameter: Parameter<S>, takesNull: Bool = false, or standard: S.Value? = nil
  ) throws(Refusal) -> S.Value? {
    note(parameter, takesNull: takesNull, or: standard)
    return has(parameter.name) ? try parameter.example() : standard
  }

  private func note<S>(_ parameter: Parameter<S>, takesNull: Bool, or standard: S.Value? = nil) {
    if let known = rows.firstIndex(where: { $0.name == parameter.name }) {
      place = known + 1
      return
    }
    let schema = parameter.shape.schema
    let row = ParameterRow(
      name: parameter.name, schema: takesNull ? Schema.orNull(schema) : schema,
      isRequired: false, standard: standard.map(parameter.json),
      example: parameter.shape.example, meaning: parameter.meaning)
    rows.insert(row, at: place)
    place += 1
  }

  /// Notes that one of the parameters from `first` on must be there.
  func needsOne(from first: String) {
    guard hidden.isEmpty, let start = rows.firstIndex(where: { $0.name == first }) else { return }
    rules.append(rows[start...].map { [$0.name] })
  }

  func needsOne(of alternatives: [[String]]) {
    guard branches.isEmpty else { return }
    branches = alternatives
    rules.append(alternatives)
  }
}

extension Parameter {
  /// Reads the example as if a client had sent it.
  fileprivate func example() throws(Refusal) -> S.Value {
    let request = #"{"\#(name)":\#(shape.example)}"#
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(Array(request.utf8))
    } catch {
      throw .invalid(field: name, reason: "has an example that is not JSON: \(error)")
    }
    return try shape.read(Params(document.root), name)
  }

  fileprivate func json(_ value: S.Value) -> String {
    var writer = JSONWriter()
    shape.write(value, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
