// The rates that hello tells (protocol §13): those that are counted here, whatever the operator has set.

internal import Domain
internal import Wire

extension Reader {
  /// Returns all limits that apply to a user of that kind.
  static func limits(
    of kind: UserKind, _ questions: KindLimits, _ lines: KindLimits, _ hellos: UserLimits,
    _ looks: UserLimits, _ exports: UserLimits, _ storage: StorageRules
  ) -> [ToldLimit] {
    let commands = questions.rate(of: kind)
    return ToldLimit.standard(with: [
      "commandsPerSecond": commands.tokens(in: 1_000), "commandsBurst": Int(commands.burst),
      "linesPerMinute": lines.rate(of: kind).tokens(in: 60_000),
      "hellosPerMinute": hellos.rate.tokens(in: 60_000),
      "historyPerMinute": looks.rate.tokens(in: 60_000), "historyBurst": Int(looks.rate.burst),
      "exportPagesPerMinute": exports.rate.tokens(in: 60_000),
      "exportPagesBurst": Int(exports.rate.burst),
      "storedBytes": Int(storage.storedBytesMax),
      "groupStoredBytes": Int(storage.groupStoredBytesMax),
      "listBytes": Int(storage.listBytesMax), "bytesPerDay": Int(storage.bytesPerDay),
      "ownerBytesPerDay": Int(storage.ownerBytesPerDay),
    ])
  }
}

extension TokenRate {
  /// Returns the number of tokens in a time, at least 1, because a rate lets something through.
  fileprivate func tokens(in milliseconds: Int64) -> Int {
    Int(clamping: max(1, count * milliseconds / everyMilliseconds))
  }
}
