import Domain
import Sync
import Text
import Wire

/// What holds for a moment in the open list, in the few columns that the row being typed has for it: who is
/// typing, else how far a bot has come, else who else is here.
enum MomentPhrase {
  /// So many names, then their number.
  private static let namesMax = 2
  private static let textScalarsMax = 24

  /// `@editor is typing`, `#12 40 % compiling`, `@editor is here`; nil when nothing holds.
  static func of(_ situation: Situation) -> String? {
    guard let open = situation.open else { return nil }
    let stream = StreamID.category(open)
    return people(.typing, "typing", stream, situation) ?? progress(stream, situation)
      ?? people(.presence, "here", stream, situation)
  }

  private static func people(
    _ kind: EphemeralKind, _ doing: String, _ stream: StreamID, _ situation: Situation
  ) -> String? {
    guard let set = situation.ephemerals[EphemeralTopic(stream: stream, kind: kind)] else {
      return nil
    }
    guard let entries = set.entries else { return "\(set.count) are \(doing)" }
    var others: [UserID] = []
    for entry in entries where entry.user != situation.me && !others.contains(entry.user) {
      others.append(entry.user)
    }
    guard !others.isEmpty else { return nil }
    guard others.count <= namesMax else { return "\(others.count) are \(doing)" }
    let names = others.map { situation.name(of: $0, in: stream) }.joined(separator: ", ")
    return "\(names) \(others.count == 1 ? "is" : "are") \(doing)"
  }

  /// Of the newest post that is open.
  private static func progress(_ stream: StreamID, _ situation: Situation) -> String? {
    let topic = EphemeralTopic(stream: stream, kind: .progress)
    var newest: (number: Int, progress: Progress)?
    for entry in situation.ephemerals[topic]?.entries ?? [] {
      guard let id = entry.post, let progress = entry.progress,
        case .post(let post) = situation.streams[stream]?.object(.post, id.uuid),
        post.completed == nil, post.number > newest?.number ?? 0
      else { continue }
      newest = (post.number, progress)
    }
    guard let (number, progress) = newest else { return nil }
    let far = "#\(number) \(progress.done * 100 / progress.of) %"
    guard let text = progress.text else { return far }
    return "\(far) \(cut(text))"
  }

  private static func cut(_ text: String) -> String {
    guard text.unicodeScalars.count > textScalarsMax else { return text }
    var kept = ""
    for character in text {
      guard kept.unicodeScalars.count + character.unicodeScalars.count < textScalarsMax else {
        break
      }
      kept.append(character)
    }
    return kept + "…"
  }
}
