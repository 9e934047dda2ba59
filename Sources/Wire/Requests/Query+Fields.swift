import Domain

// The parameters of the requests that change nothing, both ways.

extension QueryMethod {
  func query(_ params: Params) throws(Refusal) -> Query {
    switch self {
    case .sessions: .sessions
    case .profile: .profile
    case .bots: .bots
    case .posts: .posts(try PostsQuery(params))
    case .categories:
      try params.read(.mine) ? .badges(try BadgesQuery(params)) : .removedCategories
    case .members: .members(try params.read(.list))
    case .codes: .codes(try params.read(.list))
    case .links: .links(try params.read(.askedCategory))
    case .notifications:
      .notifications(limit: try params.read(.perStream, or: Limits.notificationsPageMax))
    case .undoPreview: .history(.undo(try UndoQuery(params)))
    case .historyEvents: .history(.events(try HistoryEventsQuery(params)))
    case .historyState: .history(.state(try HistoryStateQuery(params)))
    case .historyDifference: .history(.difference(try HistoryDifferenceQuery(params)))
    case .search: .search(try SearchQuery(params))
    case .view: .view(try ViewQuery(params))
    case .agenda: .agenda(try AgendaQuery(params))
    case .twins: .twins(try TwinsQuery(params))
    case .digest: .digest(try DigestQuery(params))
    case .stats: .stats(try StatsQuery(params))
    case .export: .export(try params.optional(.exportPlace))
    }
  }
}

extension Query {
  var method: Method {
    switch self {
    case .sessions: .query(.sessions)
    case .profile: .query(.profile)
    case .bots: .query(.bots)
    case .posts: .query(.posts)
    case .removedCategories, .badges: .query(.categories)
    case .members: .query(.members)
    case .codes: .query(.codes)
    case .links: .query(.links)
    case .notifications: .query(.notifications)
    case .history(let query): query.method
    case .search: .query(.search)
    case .view: .query(.view)
    case .agenda: .query(.agenda)
    case .twins: .query(.twins)
    case .digest: .query(.digest)
    case .stats: .query(.stats)
    case .export: .query(.export)
    }
  }

  func add(to fields: inout SortedFields) {
    switch self {
    case .sessions, .profile, .bots: break
    case .posts(let query): query.add(to: &fields)
    case .removedCategories: fields.add(.mine, false)
    case .badges(let query):
      fields.add(.mine, true)
      query.add(to: &fields)
    case .members(let stream), .codes(let stream): fields.add(.list, stream)
    case .links(let category): fields.add(.askedCategory, category)
    case .notifications(let limit): fields.add(.perStream, limit)
    case .history(let query): query.add(to: &fields)
    case .search(let query): query.add(to: &fields)
    case .view(let query): query.add(to: &fields)
    case .agenda(let query): query.add(to: &fields)
    case .twins(let query): query.add(to: &fields)
    case .digest(let query): query.add(to: &fields)
    case .stats(let query): query.add(to: &fields)
    case .export(let place): fields.add(.exportPlace, place)
    }
  }
}

extension PostsQuery {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      category: try params.read(.askedCategory), show: try params.read(.show),
      before: try params.optional(.beforeNumber),
      limit: try params.limit(Limits.listPageMax))
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.askedCategory, category)
    fields.add(.show, show)
    fields.add(.beforeNumber, before)
    fields.add(.limit(Limits.listPageMax), limit)
  }
}

// MARK: - Parameters

extension Parameter where S == SwitchShape {
  fileprivate static var mine: Self {
    Self(
      "show", S(on: "mine", off: "removed", offIsFirst: true), "the categories that are asked for")
  }
}

extension Parameter where S == WordShape<PostFilter> {
  fileprivate static var show: Self { Self("show", S(), "the posts that are asked for") }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var beforeNumber: Self {
    Self("before", S(range: 1...JSONNumber.integerMax), "only posts with a lower number")
  }

  fileprivate static var perStream: Self {
    Self(
      "limit", S(range: 1...Int64(Limits.notificationsPageMax)),
      "at most so many notifications of each list")
  }
}
