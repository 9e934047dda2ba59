import Domain
import Sync
import Text
import Wire

extension Situation {
  /// Returns the people who look at a list now. Empty for a list of which the server tells only their number.
  func people(hereIn stream: StreamID) -> Set<UserID> {
    let topic = EphemeralTopic(stream: stream, kind: .presence)
    return Set((ephemerals[topic]?.entries ?? []).map(\.user))
  }
}

/// A short text about the moment in the open list, for the few columns beside the row being typed: who is typing, else
/// how far a bot has come, else who else is here.
enum MomentPhrase {
  /// The number of people that are named; more are counted.
  private static let namesMax = 2
  private static let textScalarsMax = 24

  /// Returns `@editor is typing`, `#12 40 % compiling` or `@editor is here`; nil when there is nothing to say.
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

  /// Returns the progress of the open post with the highest number that has one.
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
