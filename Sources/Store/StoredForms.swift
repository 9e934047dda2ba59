// The forms of values of the domain in a column, where that is not plain.

import Domain
import Wire

/// The result of a command as bytes. For each of its events stand the stream's 17 bytes and the number's 8, big-endian.
/// The commands of a batch follow, 17 bytes each: `!` for a command that changed something, otherwise `1`, and then 8
/// bytes each for its post's number and version, 0 for none. The upper 16 bits of the number are the outcome of an
/// import (`ImportOutcome`). The outcome of an import outside of a batch stands in the same form behind an `i`. The
/// things that an undo left as they were stand behind a zero byte.
enum CommandResultCodec {
  private static let eventBytes = 25
  private static let partBytes = 17
  private static let unchanged = UInt8(ascii: "1")
  private static let changed = UInt8(ascii: "!")
  private static let alone = UInt8(ascii: "i")

  static func encode(_ result: CommandResult) -> [UInt8] {
    let (events, parts) = (result.events, result.parts)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(events.count * eventBytes + parts.count * partBytes)
    for event in events {
      bytes.append(event.stream.letter)
      bytes.append(contentsOf: event.stream.uuid.bytes)
      append(UInt64(event.seq), to: &bytes)
    }
    for part in parts {
      bytes.append(part.changed ? changed : unchanged)
      append(UInt64(part.number ?? 0) | bits(of: part.imported), to: &bytes)
      append(UInt64(part.version ?? 0), to: &bytes)
    }
    if let imported = result.imported {
      bytes.append(alone)
      append(bits(of: imported), to: &bytes)
      append(0, to: &bytes)
    }
    if let skipped = result.skipped { bytes += [0] + UndoSkipCodec.encode(skipped) }
    return bytes
  }

  /// Reads what `encode` made. Nil for other bytes.
  static func decode(
    _ bytes: [UInt8]
  ) -> (
    events: [StreamPosition], parts: [CommandPart], skipped: [UndoSkip]?, imported: ImportOutcome?
  )? {
    var events: [StreamPosition] = []
    var parts: [CommandPart] = []
    var rest = bytes[...]
    while let first = rest.first {
      if first == 0 {
        guard let skipped = skips(Array(rest.dropFirst())) else { return nil }
        return (events, parts, skipped, nil)
      }
      if first == alone {
        guard parts.isEmpty, rest.count == partBytes else { return nil }
        return (events, [], nil, outcome(number(rest.dropFirst().prefix(8))))
      }
      let isPart = first == changed || first == unchanged
      let size = isPart ? partBytes : eventBytes
      guard rest.count >= size else { return nil }
      if isPart {
        parts.append(part(rest.prefix(size)))
      } else {
        guard parts.isEmpty, let event = event(rest.prefix(size)) else { return nil }
        events.append(event)
      }
      rest = rest.dropFirst(size)
    }
    return (events, parts, nil, nil)
  }

  private static func skips(_ bytes: [UInt8]) -> [UndoSkip]? {
    do throws(WireError) {
      return try UndoSkipCodec.decode(bytes)
    } catch {
      return nil
    }
  }

  private static func event(_ bytes: ArraySlice<UInt8>) -> StreamPosition? {
    guard let letter = bytes.first, let uuid = UUID(bytes: Array(bytes.dropFirst().prefix(16))),
      let stream = StreamID(letter: letter, uuid: uuid)
    else { return nil }
    return StreamPosition(stream: stream, seq: Int64(bitPattern: number(bytes.suffix(8))))
  }

  private static func part(_ bytes: ArraySlice<UInt8>) -> CommandPart {
    let first = number(bytes.dropFirst().prefix(8))
    let post = first & 0xFFFF_FFFF_FFFF
    let version = number(bytes.suffix(8))
    return CommandPart(
      changed: bytes.first == changed, number: post == 0 ? nil : Int(clamping: post),
      version: version == 0 ? nil : Int(clamping: version), imported: outcome(first))
  }

  /// Returns the upper 16 bits of an outcome: three bits for the kind, counted from 1, then one for each field that was
  /// left.
  private static func bits(of outcome: ImportOutcome?) -> UInt64 {
    guard let outcome, let kind = ImportOutcome.Kind.allCases.firstIndex(of: outcome.kind) else {
      return 0
    }
    var bits = UInt64(kind + 1)
    for (index, field) in Source.Field.allCases.enumerated() where outcome.left.contains(field) {
      bits |= 8 << UInt64(index)
    }
    return bits << 48
  }

  private static func outcome(_ number: UInt64) -> ImportOutcome? {
    let bits = number >> 48
    let kinds = ImportOutcome.Kind.allCases
    guard bits & 7 > 0, bits & 7 <= kinds.count else { return nil }
    let left = Source.Field.allCases.enumerated().filter { bits & 8 << UInt64($0.offset) != 0 }
    return ImportOutcome(kinds[Int(bits & 7) - 1], left: left.map(\.element))
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
