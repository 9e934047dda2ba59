import Domain

private typealias Doing = Household.Doing

private let list = Household.list
private let owner = Household.owner

extension MethodSample {
  /// Further samples: commands of a method that go another way.
  static let further: [MethodSample] = ofPosts + [toGroup, inBatch]

  private static let ofPosts: [MethodSample] = {
    let (open, own, daily) = (Household.open, Household.own, Household.daily)
    let forEach = Doing(
      .editPost(list, open, PostEdit(mode: .set(.each)), ifVersion: nil), by: owner)
    let note = Doing(.changePersonal(list, open, .note("note")), by: Household.sender)
    let complete = Doing(.completePost(list, own, ifVersion: nil), by: owner)
    let completeNext = Doing(.changeOccurrence(list, daily, 3, .complete), by: owner)
    return [
      .inList(
        .editor, .post(.change(list, open, .completeForAll)), part: "for all", before: [forEach]),
      .inList(
        .doer, .changeOccurrence(list, daily, 2, .complete), part: "once more",
        after: [completeNext, Household.senderIsRemoved]),
      .inList(.doer, complete.command, part: "with steps"),
      .inList(
        .editor, .changeStep(list, own, Household.finishedStep, .reopen),
        part: "of a completed post",
        before: [complete]),
      .inList(
        .viewer, .member(.leave(.category(list))), part: "with what was personal", before: [note],
        after: []),
    ]
  }()

  private static let toGroup = ofOneself(
    .invitation(
      .send(Household.newInvitation, .group(Household.group), username: "stranger", .owner)),
    part: "to a group", by: owner, home: .group(Household.group),
    after: [
      Doing(.invitation(.accept(Household.newInvitation)), by: Household.stranger)
    ])

  private static let inBatch = ofOneself(
    .batch([
      .post(.add(list, Household.newPost, title: "new", notes: "")),
      .completePost(list, Household.newPost, ifVersion: 1),
      .member(.remove(.category(list), Household.member)),
      .category(.add(Household.newList, name: "new", group: Household.group)),
    ]), part: "with the end of a membership", by: owner, home: .category(list))
}
