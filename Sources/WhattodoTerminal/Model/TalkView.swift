import Domain
import Screen
import Text

/// The view of talk at the prompt of a chat. A plain line is said there, and the prompt says so. A list whose talk is
/// viewed is the open list, so that commands are about the list that the prompt names.
struct TalkView: Hashable {
  let stream: StreamID
  /// The post on which a plain line is a comment. Nil: it is about the place as a whole.
  var post: PostID?
}

extension Situation {
  /// The place of the view of talk; nil when no view is open.
  var placeOfView: ListOrGroup? {
    guard let state = talking.flatMap({ streams[$0.stream] }) else { return nil }
    return state.category.map { .list($0) } ?? state.group.map { .group($0) }
  }

  /// Whether one can say lines in this view: one may talk there, and the post is there.
  func holds(_ view: TalkView) -> Bool {
    guard let state = streams[view.stream], let role = role(in: view.stream),
      Permission.allows(role, .line(.say)), !isSilent(state), state.group?.removed == nil,
      state.category?.removed == nil, state.category?.archived == nil
    else { return false }
    guard let post = view.post else { return true }
    return state.post(post).map { $0.removed == nil } ?? false
  }

  /// Whether talk is switched off in the place, or in the group of the list.
  private func isSilent(_ state: StreamState) -> Bool {
    let group = state.category?.group.flatMap { streams[.group($0)]?.group } ?? state.group
    return state.category?.talk == .off || group?.talk == .off
  }

  /// Returns where a plain line goes, as the prompt says it: `#groceries`, `talk #groceries #12`, or
  /// `talk home, posts in #groceries`.
  var placeAtPrompt: Line {
    let list = openList.map { Text.evenColumns($0.tag) }
    guard let view = talking else { return list.map { Line("\($0)", .strong) } ?? Line() }
    var line = Line("talk ", .accent)
    line.add("\(Text.evenColumns(label(view.stream)))", .strong)
    if let post = view.post.flatMap({ streams[view.stream]?.post($0) }) {
      line.add(" #\(post.number)", .strong)
    }
    guard view.stream.isGroup, let list else { return line }
    return line.and(", posts in ", .dim).and("\(list)", .strong)
  }
}
