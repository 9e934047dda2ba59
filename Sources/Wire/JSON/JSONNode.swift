package import Domain

/// The kinds of values.
package enum JSONKind: UInt8, Hashable, Sendable, CaseIterable {
  case object, array, string, number, bool, null
}

/// One value of a document. Asking it for another kind than its own returns nil and never traps.
package struct JSONNode: Sendable {
  private let store: JSONDocument.Store
  private let index: Int

  init(store: JSONDocument.Store, index: Int) {
    self.store = store
    self.index = index
  }

  private var entry: JSONTape.Entry { store.entries[index] }

  package var kind: JSONKind { entry.kind }

  package var isNull: Bool { entry.kind == .null }

  package var bool: Bool? {
    entry.kind == .bool ? store.bytes[Int(entry.start)] == UInt8(ascii: "t") : nil
  }

  /// The value of a number written without fraction and exponent, which is always within ±(2⁵³ − 1). Nil for others.
  package var int64: Int64? {
    guard entry.kind == .number else { return nil }
    let bytes = store.bytes
    return JSONNumber.integer(bytes.span, Int(entry.start), Int(entry.end))
  }

  /// The text of a string, escapes resolved. Nil for other kinds.
  package var string: String? {
    guard entry.kind == .string else { return nil }
    guard entry.hasEscape else {
      return String(decoding: store.bytes[plainRange], as: UTF8.self)
    }
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// The UTF-8 of the text of a string, escapes resolved. It is for identifiers, and makes no String. Nil for other
  /// kinds.
  package var utf8: [UInt8]? {
    guard entry.kind == .string else { return nil }
    guard entry.hasEscape else { return Array(store.bytes[plainRange]) }
    return unescaped
  }

  /// The UUID that the string spells. Nil for any other string or kind.
  package var uuid: UUID? {
    guard entry.kind == .string else { return nil }
    guard entry.hasEscape else {
      let bytes = store.bytes
      return UUID(utf8: bytes.span.extracting(plainRange))
    }
    return UUID(utf8: unescaped)
  }

  /// The value's bytes as they were written, to be stored or sent again unchanged.
  package var rawBytes: ArraySlice<UInt8> { store.bytes[Int(entry.start)..<Int(entry.end)] }

  /// The member of an object with this name. It costs one look at every member before it.
  package subscript(_ name: String) -> JSONNode? {
    guard entry.kind == .object else { return nil }
    let end = Int(entry.next)
    var member = index + 1
    while member < end {
      if isName(name, at: member) { return JSONNode(store: store, index: member + 1) }
      member = Int(store.entries[member + 1].next)
    }
    return nil
  }

  /// The elements of an array in order. Nil for any other kind.
  package var elements: JSONElements? {
    guard entry.kind == .array else { return nil }
    return JSONElements(store: store, index: index + 1, end: Int(entry.next))
  }

  /// The members of an object in the order of the text. Nil for any other kind.
  package var members: JSONMembers? {
    guard entry.kind == .object else { return nil }
    return JSONMembers(store: store, index: index + 1, end: Int(entry.next))
  }

  private var unescaped: [UInt8] {
    let bytes = store.bytes
    return JSONString.text(of: entry, bytes.span)
  }

  /// The range between the quotation marks.
  private var plainRange: Range<Int> { Int(entry.start) + 1..<Int(entry.end) - 1 }

  @inline(__always)
  private func isName(_ name: String, at member: Int) -> Bool {
    let entry = store.entries[member]
    if entry.hasEscape {
      return JSONNode(store: store, index: member).unescaped == Array(name.utf8)
    }
    let text = name.utf8.span
    let bytes = store.bytes
    guard Int(entry.end - entry.start) == text.count + 2 else { return false }
    for offset in 0..<text.count where bytes[Int(entry.start) + 1 + offset] != text[offset] {
      return false
    }
    return true
  }
}

/// The elements of an array, in order. It is read once, without copies.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let store: JSONDocument.Store
  private var index: Int
  private let end: Int

  init(store: JSONDocument.Store, index: Int, end: Int) {
    self.store = store
    self.index = index
    self.end = end
  }

  package mutating func next() -> JSONNode? {
    guard index < end else { return nil }
    defer { index = Int(store.entries[index].next) }
    return JSONNode(store: store, index: index)
  }
}

/// A name and its value.
package struct JSONMember: Sendable {
  private let nameNode: JSONNode
  package let value: JSONNode

  init(nameNode: JSONNode, value: JSONNode) {
    self.nameNode = nameNode
    self.value = value
  }

  /// The name, escapes resolved. It is made when asked for.
  package var name: String { nameNode.string ?? "" }
}

/// The members of an object, in the order of the text. It is read once, without copies.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  private let store: JSONDocument.Store
  private var index: Int
  private let end: Int

  init(store: JSONDocument.Store, index: Int, end: Int) {
    self.store = store
    self.index = index
    self.end = end
  }

  package mutating func next() -> JSONMember? {
    guard index < end else { return nil }
    defer { index = Int(store.entries[index + 1].next) }
    return JSONMember(
      nameNode: JSONNode(store: store, index: index),
      value: JSONNode(store: store, index: index + 1))
  }
}
