import Domain

// The parameters of the changes of talk, both ways.

extension LineMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let stream = try params.read(.list)
    return switch self {
    case .say:
      .line(
        .say(
          stream, text: try params.read(.lineText), post: try params.optional(.commentedPost),
          answers: try params.optional(.answeredLine)))
    case .edit:
      .line(.edit(stream, line: try params.read(.line), text: try params.read(.lineText)))
    case .react:
      .line(
        .react(stream, line: try params.read(.line), sign: try params.optional(.sign)))
    case .remove: .line(.remove(stream, line: try params.read(.line)))
    }
  }
}

extension LineCommand {
  func add(to fields: inout SortedFields) {
    fields.add(.list, stream)
    switch self {
    case .say(_, let text, let post, let answers):
      fields.add(.lineText, text)
      fields.add(.commentedPost, post)
      fields.add(.answeredLine, answers)
    case .edit(_, let line, let text):
      fields.add(.line, line)
      fields.add(.lineText, text)
    case .react(_, let line, let sign):
      fields.add(.line, line)
      fields.add(.sign, sign)
    case .remove(_, let line): fields.add(.line, line)
    }
  }
}

// MARK: - Parameters

extension Parameter where S == LinesShape {
  fileprivate static var lineText: Self {
    Self("text", S(scalars: 1...Limits.lineScalarsMax, named: "lineText"), "the text of the line")
  }
}

extension Parameter where S == IDShape<PostID> {
  fileprivate static var commentedPost: Self {
    Self("post", S(), "the post that the line is about; only in a category")
  }
}

extension Parameter where S == IntegerShape<Int64> {
  fileprivate static var line: Self {
    Self("line", S(range: 1...JSONNumber.integerMax), "the number of the line")
  }

  fileprivate static var answeredLine: Self {
    Self("answers", S(range: 1...JSONNumber.integerMax), "the number of the line that it answers")
  }
}
