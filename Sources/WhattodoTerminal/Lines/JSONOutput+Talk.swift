import Domain
import Wire

extension JSONWriter {
  /// Writes `"place":{"kind","id","name"}`, the post if it is about one, and the lines, the oldest first.
  mutating func talk(of place: ListOrGroup, about post: Post?, _ situation: Situation) {
    let lines = TalkLines.held(in: place.stream, about: post, situation)
    talk(lines, of: place, about: post, situation)
  }

  /// Writes lines as
  /// `"lines":[{"number"?,"at","by","text","mentions"?,"post"?,"answers"?,"edited"?,"reactions"?}]`. A line that is not
  /// confirmed has no number. Times are in milliseconds since 1970. The text is as it was written.
  mutating func talk(
    _ lines: [TalkLine], of place: ListOrGroup, about post: Post?, _ situation: Situation
  ) {
    let stream = place.stream
    object("place") { $0.place(stream, situation) }
    if let post { object("post") { $0.subject(post) } }
    array("lines", lines) { $1.said($0, in: stream, situation) }
  }

  /// Writes the number of comments on a post and the time of the last one; nothing when there is none.
  mutating func comments(on post: Post, in stream: StreamID, _ situation: Situation) {
    guard let it = situation.streams[stream]?.comments(on: post.id) else { return }
    object("comments") { writer in
      writer.member("count", it.count)
      writer.member("last", Int(it.last.milliseconds))
    }
  }

  private mutating func said(_ line: TalkLine, in stream: StreamID, _ situation: Situation) {
    let state = situation.streams[stream]
    if !situation.isPending(line, in: stream) { member("number", Int(line.event)) }
    member("at", Int(line.said.at.milliseconds))
    person("by", line.said.by, state?.member(line.said.by)?.username ?? "")
    member("text", line.text)
    if !line.mentions.isEmpty {
      array("mentions", line.mentions) { it, writer in
        writer.person(it.user, state?.member(it.user)?.username ?? "")
        writer.member("at", it.at)
        writer.member("length", it.length)
      }
    }
    if let post = line.post.flatMap({ state?.post($0) }) { object("post") { $0.subject(post) } }
    if let answers = line.answers { member("answers", Int(answers)) }
    if let edited = line.edited { member("edited", Int(edited.milliseconds)) }
    guard !line.reactions.isEmpty else { return }
    array("reactions", line.bySign) { row, writer in
      writer.member("sign", row.sign)
      writer.people("people", row.users.compactMap { state?.member($0) })
    }
  }

  private mutating func subject(_ post: Post) {
    member("number", post.number)
    member("id", "\(post.id)")
    member("title", post.title)
  }
}
