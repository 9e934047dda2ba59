import Domain

@testable import Wire

extension Samples {
  static let moments: [Sample<EphemeralRequest>] = [
    Sample("presence.set", .presence(ID.groupStream, isHere: true)),
    Sample("presence.set: left", .presence(ID.list, isHere: false)),
    Sample("typing.set", .typing(ID.category, nil, isTyping: true)),
    Sample("typing.set: at a post", .typing(ID.category, ID.post, isTyping: false)),
    Sample(
      "progress.set",
      .progress(ID.category, ID.post, Progress(done: 5, of: 12, text: "compiling Café"))),
    Sample("progress.set: percent", .progress(ID.category, ID.post, Progress(done: 100))),
    Sample("progress.set: taken back", .progress(ID.category, ID.post, nil)),
  ]
}
