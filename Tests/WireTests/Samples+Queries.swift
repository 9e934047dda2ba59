import Domain

@testable import Wire

// Requests that only read, by the names of the vectors.
extension Samples {
  static let queries: [Sample<Request>] = [
    Sample("session.list", .query(.sessions)),
    Sample("profile.get", .query(.profile)),
    Sample("category.list", .query(.removedCategories)),
    Sample(
      "post.list",
      .query(.posts(PostsQuery(category: ID.category, show: .done, before: 12, limit: 50)))),
    Sample("member.list", .query(.members(ID.list))),
    Sample(
      "search",
      .query(
        .search(
          SearchQuery(
            "oat milk", in: [ID.category], place: .bin,
            after: FoundPlace(createdAt: ID.time(0), category: ID.category, number: 12), limit: 20)!
        ))
    ),
    Sample(
      "post.query",
      .query(
        .view(
          ViewQuery(
            PostWhere(
              by: .user(ID.editor), assignee: .me, tag: ID.tag, priority: .medium,
              due: DueWindow(
                from: .day(Day("2026-11-22")!), until: .moment(ID.time(600_000)))),
            in: [ID.category], sort: .due, zone: "Europe/Lisbon",
            after: ViewPlace(when: 1_790_000_000_000, category: ID.category, number: 12), limit: 20)
        ))
    ),
    Sample("post.query: what is open", .query(.view(ViewQuery()))),
    Sample(
      "post.query: a list in its order",
      .query(
        .view(
          ViewQuery(
            in: [ID.category], sort: .position,
            after: ViewPlace(
              position: Position("50000000007r")!, category: ID.category, number: 7))))),
    Sample(
      "agenda.get",
      .query(
        .agenda(
          AgendaQuery(
            from: Day("2026-11-01")!, to: Day("2026-11-30")!, in: [ID.category],
            zone: "Europe/Lisbon")))
    ),
    Sample(
      "post.twins",
      .query(.twins(TwinsQuery(category: ID.category, title: "Milk", besides: ID.post)))),
    Sample(
      "digest.get", .query(.digest(DigestQuery(day: Day("2026-11-21")!, zone: "Europe/Lisbon")))),
    Sample("digest.get: of one's own zone", .query(.digest(DigestQuery(day: Day("2026-11-21")!)))),
    Sample("account.export", .query(.export(nil))),
    Sample(
      "account.export: on", .query(.export(ExportPlace(stream: ID.list, part: .events, number: 41)))
    ),
    Sample(
      "account.export: on among objects",
      .query(
        .export(
          ExportPlace(
            stream: ID.list, part: .objects, number: 1,
            after: ObjectKey(kind: .member, id: ID.author.uuid))))),
    Sample("invitation.codes", .query(.codes(ID.groupStream))),
    Sample("link.list", .query(.links(ID.category))),
    Sample("bot.list", .query(.bots)),
    Sample("notification.list", .query(.notifications(limit: 20))),
    Sample(
      "undo.preview",
      .query(.history(.undo(UndoQuery(stream: ID.list, selection: .events([15])))))),
    Sample(
      "undo.preview: what somebody did",
      .query(
        .history(
          .undo(
            UndoQuery(
              stream: ID.list,
              selection: .doings(of: ID.editor, since: ID.time(0), until: ID.time(600_000))))))),
    Sample(
      "history.get",
      .query(
        .history(
          .events(
            HistoryEventsQuery(
              stream: ID.list, person: ID.editor, post: ID.post,
              kinds: [.post(.completed), .post(.reopened)], from: ID.time(0),
              until: ID.time(600_000), before: 42, limit: 20))))),
    Sample(
      "history.get: everything",
      .query(.history(.events(HistoryEventsQuery(stream: ID.list, limit: 200))))),
    Sample(
      "history.state",
      .query(
        .history(.state(HistoryStateQuery(category: ID.category, moment: .seq(15), page: 2))))),
    Sample(
      "history.state: at a time",
      .query(
        .history(
          .state(HistoryStateQuery(category: ID.category, moment: .time(ID.time(0)), page: 1))))),
    Sample(
      "history.diff",
      .query(
        .history(
          .difference(HistoryDifferenceQuery(category: ID.category, from: 15, to: 20, page: 1))))),
  ]
}
