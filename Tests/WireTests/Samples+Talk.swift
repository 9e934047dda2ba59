import Domain

@testable import Wire

// Talk (protocol §5.20), by the names of the vectors.

extension Samples {
  static let talkObjects: [Sample<Object>] = [
    Sample("line", .line(TalkLine(event: 14, said: ID.stamp(0, ID.author), text: "Milk is out"))),
    Sample(
      "line: a comment that answers, changed since",
      .line(
        TalkLine(
          event: 15, said: ID.stamp(0, ID.author), text: "Which one?\nThe \"red\" one",
          post: ID.post, answers: 14,
          edited: ID.time(60_000)))),
    Sample(
      "line: it names a member",
      .line(
        TalkLine(
          event: 14, said: ID.stamp(0, ID.author), text: "Milk is out, @editor",
          mentions: [Mention(ID.editor, at: 13, length: 7)]))),
    Sample("line: all that it may have", .line(lineWithAll)),
    Sample("comments", .comments(Comments(on: ID.post, count: 2, last: ID.time(0), seq: 15))),
  ]

  static let talkOps: [Sample<Op>] = [
    Sample("line.said", .line(.said(SaidLine(line: 14, text: "Milk is out")))),
    Sample(
      "line.said: a comment that answers",
      .line(
        .said(
          SaidLine(
            line: 15, text: "Which one?\nThe \"red\" one", post: ID.post, answers: 14)))),
    Sample(
      "line.said: it names a member",
      .line(
        .said(
          SaidLine(
            line: 14, text: "Milk is out, @editor",
            mentions: [Mention(ID.editor, at: 13, length: 7)])))),
    Sample(
      "line.said: an answer to somebody",
      .line(.said(SaidLine(line: 16, text: "I do.", answers: 14, to: ID.editor)))),
    Sample(
      "line.said: the second comment, with all that a line may have",
      .line(
        .said(
          SaidLine(
            line: 15, text: "👏 @Editor, and @editor.", post: ID.post, answers: 14,
            to: ID.editor, mentions: mentionsOfEditor, comments: 2)))),
    Sample("line.edited", .line(.edited(line: 14, text: "Milk is here"))),
    Sample(
      "line.edited: a comment",
      .line(.edited(line: 15, text: "The red one", post: ID.post))),
    Sample(
      "line.edited: it names a member",
      .line(
        .edited(
          line: 14, text: "Milk is here, @editor",
          mentions: [Mention(ID.editor, at: 14, length: 7)]))),
    Sample(
      "line.edited: a comment that names two members",
      .line(
        .edited(
          line: 15, text: "@author and @editor know", post: ID.post,
          mentions: [
            Mention(ID.author, at: 0, length: 7), Mention(ID.editor, at: 12, length: 7),
          ]))),
    Sample("line.reacted", .line(.reacted(line: 14, to: ID.editor, sign: "👏"))),
    Sample("line.reacted: none any more", .line(.reacted(line: 14, to: ID.editor, sign: nil))),
    Sample(
      "line.reacted: to a comment",
      .line(.reacted(line: 15, to: ID.editor, sign: "👩🏽‍❤️‍💋‍👨🏿", post: ID.post))),
    Sample("line.removed", .line(.removed(line: 14))),
    Sample("line.removed: a comment", .line(.removed(line: 15, post: ID.post))),
    Sample(
      "line.removed: a comment, and one is left",
      .line(.removed(line: 15, post: ID.post, comments: 1))),
    Sample(
      "line.removed: the last comment", .line(.removed(line: 15, post: ID.post, comments: 0))),
  ]

  /// The members whom "👏 @Editor, and @editor." names.
  private static let mentionsOfEditor = [2, 15].map { Mention(ID.editor, at: $0, length: 7) }

  private static let lineWithAll = TalkLine(
    event: 15, said: ID.stamp(0, ID.author), text: "👏 @Editor, and @editor.", post: ID.post,
    answers: 14, mentions: mentionsOfEditor,
    reactions: [
      LineReaction(user: ID.editor, sign: "👏"), LineReaction(user: ID.author, sign: "🎉"),
    ], edited: ID.time(60_000))
}
