package import Domain

// Members with the spellings of protocol §3: ids and streams as text, times as integer milliseconds. Optional members
// without a value are left out.

extension JSONWriter {
  mutating func member(_ name: String, _ numbers: [Int64]) {
    key(name)
    beginArray()
    for number in numbers { int(number) }
    endArray()
  }

  package mutating func member(_ name: String, _ total: DayTotal) {
    key(name)
    beginObject()
    member("done", total.done)
    member("of", total.of)
    endObject()
  }

  mutating func array<Element>(
    _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  mutating func stream(_ value: StreamID) { uuid(value.uuid, stream: value.letter) }

  package mutating func member(_ name: String, _ value: String) {
    key(name)
    string(value)
  }

  package mutating func member(_ name: String, _ value: Int) {
    key(name)
    int(value)
  }

  package mutating func member(_ name: String, _ value: Int64) {
    key(name)
    int(value)
  }

  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    bool(value)
  }

  mutating func member(_ name: String, _ value: UUID) {
    key(name)
    uuid(value)
  }

  mutating func member(_ name: String, _ values: [UUID]) {
    key(name)
    beginArray()
    for value in values { uuid(value) }
    endArray()
  }

  mutating func member(_ name: String, _ value: StreamID) {
    key(name)
    stream(value)
  }

  mutating func member(_ name: String, _ value: Timestamp) {
    member(name, value.milliseconds)
  }

  mutating func member(_ name: String, ifPresent value: String?) {
    if let value { member(name, value) }
  }

  mutating func member(_ name: String, ifPresent value: Int?) {
    if let value { member(name, value) }
  }

  mutating func member(_ name: String, ifPresent value: Int64?) {
    if let value { member(name, value) }
  }

  mutating func member(_ name: String, ifPresent value: UUID?) {
    if let value { member(name, value) }
  }

  /// Writes a text, or nothing when it is empty because nobody gave one.
  mutating func member(_ name: String, unlessEmpty value: String) {
    if !value.isEmpty { member(name, value) }
  }

  mutating func member(_ name: String, _ stamp: Stamp) {
    key(name)
    beginObject()
    member("at", stamp.at)
    member("by", stamp.by.uuid)
    endObject()
  }

  mutating func member(_ name: String, _ counters: Counters) {
    key(name)
    beginObject()
    member("open", counters.open)
    member("done", counters.done)
    member("total", counters.total)
    // It is left out at 0, as in bytes that were stored before it existed.
    if counters.overdue != 0 { member("overdue", counters.overdue) }
    endObject()
  }

  mutating func member(_ name: String, _ grants: Grants) {
    key(name)
    beginObject()
    member("direct", ifPresent: grants.direct?.word)
    member("viaGroup", ifPresent: grants.viaGroup?.word)
    member("raised", ifPresent: grants.raised?.word)
    endObject()
  }
}
