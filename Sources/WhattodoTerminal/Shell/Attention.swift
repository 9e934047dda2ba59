import Domain
import Wire

/// Tells others of this chat (protocol §5.5): which list the person has in front of them, and whether they type in it.
/// This is repeated before it expires. A command that is being typed is not told, because it is no text for others.
struct Attention {
  static let hereEveryMilliseconds: Int64 = 30_000
  static let typingEveryMilliseconds: Int64 = 3_000

  /// The list in which we said that we are, and when.
  private var here: (list: CategoryID, at: Int64)?
  /// The time at which we said that we type there, and the text at that time.
  private var typing: (at: Int64, text: String)?

  /// Returns the text at the prompt if others may know that it is typed. Nil for a command, and for talk: a guest by a
  /// link gets `typing` too, and would learn from it who talks. `isHeld` means a line that was begun in a view of talk
  /// that is closed by now.
  static func told(_ text: String, in view: TalkView?, isHeld: Bool) -> String? {
    guard view == nil, !isHeld, !text.hasPrefix("/"), !text.hasPrefix("'") else { return nil }
    return text
  }

  /// Returns the requests that are due now. `text` is what is being typed; nil for a text that is not meant for a list.
  mutating func due(
    in list: CategoryID?, typing text: String?, isLive: Bool, now: Int64
  ) -> [EphemeralRequest] {
    guard isLive else {
      // What we said ended with the connection.
      (here, typing) = (nil, nil)
      return []
    }
    return look(at: list, now) + type(text, in: list, now)
  }

  /// Returns the milliseconds until something is to be said again; nil when no list is open.
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
    // A person who left in the middle of a line does not type.
    if let typing {
      guard typing.text != text, now - typing.at >= Attention.typingEveryMilliseconds else {
        return []
      }
    }
    typing = (now, text)
    return [.typing(list, nil, isTyping: true)]
  }
}
