// Decides whether talk is switched off (protocol §5.20): on the server, in a group, or in a list. A group silences its
// lists too. The lines that were said stay and are read, and they can be removed.

/// Refuses a method of talk in a place that is silent.
func refuseSilent(
  _ method: LineMethod, in stream: StreamID, _ world: inout World
) throws(Halt) {
  guard method.isSilenced else { return }
  guard world.hasTalk else {
    throw .refused(.forbidden("talk is switched off on this server"))
  }
  switch stream {
  case .category(let id):
    guard let category = try world.category(id) else { return }
    guard category.talk == .on else {
      throw .refused(.forbidden("talk is switched off in this list"))
    }
    if let group = category.group { try refuseSilent(group, &world) }
  case .group(let id): try refuseSilent(id, &world)
  case .user: return
  }
}

private func refuseSilent(_ group: GroupID, _ world: inout World) throws(Halt) {
  guard try world.group(group)?.talk == .off else { return }
  throw .refused(.forbidden("talk is switched off in this group"))
}

extension LineMethod {
  /// Whether it is refused where talk is switched off.
  fileprivate var isSilenced: Bool {
    switch self {
    case .say, .edit, .react: true
    case .remove: false
    }
  }
}
