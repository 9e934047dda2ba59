import Domain
import Wire

/// What others are told of this chat while it holds (protocol §5.5): the list that somebody has in front of them,
/// and that they type in it. Said again before it is over, and never for what is no text for others (a command).
struct Attention {
  static let hereEveryMilliseconds: Int64 = 30_000
  static let typingEveryMilliseconds: Int64 = 3_000

  /// The list we said that we are in, and when.
  private var here: (list: CategoryID, at: Int64)?
  /// When we said that we type there, and the text then.
  private var typing: (at: Int64, text: String)?

  /// What is to be said now. `text` is what is being typed, nil for none that is meant for a list.
  mutating func due(
    in list: CategoryID?, typing text: String?, isLive: Bool, now: Int64
  ) -> [EphemeralRequest] {
    guard isLive else {
      // It ended with the connection.
      (here, typing) = (nil, nil)
      return []
    }
    return look(at: list, now) + type(text, in: list, now)
  }

  /// Milliseconds until something is to be said again; nil when nobody looks at anything.
  func wait(now: Int64) -> Int? {
    here.map { Int(max(0, $0.at + Attention.hereEveryMilliseconds - now)) }
  }

  private mutating func look(at list: CategoryID?, _ now: Int64) -> [EphemeralRequest] {
    var said: [EphemeralRequest] = []
    if let before = here?.list, before != list {
      if typing != nil { said.append(.typing(before, nil, isTyping: false)) }
      said.append(.presence(.category(before), isHere: false))
      (here, typing) = (nil, nil)
    }
    guard let list, here.map({ now - $0.at >= Attention.hereEveryMilliseconds }) ?? true else {
      return said
    }
    here = (list, now)
    return said + [.presence(.category(list), isHere: true)]
  }

  private mutating func type(
    _ text: String?, in list: CategoryID?, _ now: Int64
  ) -> [EphemeralRequest] {
    guard let list else { return [] }
    guard let text, !text.isEmpty else {
      guard typing != nil else { return [] }
      typing = nil
      return [.typing(list, nil, isTyping: false)]
    }
    // Somebody who left in the middle of a line does not type.
    if let typing {
      guard typing.text != text, now - typing.at >= Attention.typingEveryMilliseconds else {
        return []
      }
    }
    typing = (now, text)
    return [.typing(list, nil, isTyping: true)]
  }
}
