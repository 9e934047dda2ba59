// Searches (protocol §8, search), compared with a look at every post that the log has made.

import Domain
import Sync
import Wire

extension Workload {
  func search(_ device: Device) -> Query? {
    let world = device.world
    let words = ["post", "notes", "long", "name"]
    let word = world.random.pick(words) ?? "post"
    let number = world.random.happens(300) ? " \(1 + world.random.below(60))" : ""
    let lists = device.streams.compactMap(\.category)
    let query = SearchQuery(
      word + number, in: world.random.happens(200) ? world.random.pick(lists).map { [$0] } : nil,
      place: world.random.happens(250) ? .bin : .lists)
    return query.map { .search($0) }
  }
}

extension Simulation {
  /// Checks P9 and P10, at the moment of reading.
  func checkSearch(_ user: UserID, _ query: SearchQuery, _ answer: [UInt8]) {
    guard let result = read(answer, to: "a search", SearchResult.init(decoding:)) else { return }
    compare(result, user, query)
  }

  private func compare(_ result: SearchResult, _ user: UserID, _ query: SearchQuery) {
    let found = result.found.map { FoundPost($0.post, in: $0.category) }
    for line in found where truth.streams[.category(line.place.category)]?.isMember(user) != true {
      return fail("P9 somebody who is no member finds a post of \(line.place.category)")
    }
    // A replica knows nothing of removed posts.
    guard query.place == .lists else { return }
    let expected = posts(for: user, query).sorted { $0.place < $1.place }
    count(.p10Found, found.count)
    let isSame = Array(expected.prefix(found.count)) == found
    if !isSame || (result.after == nil && expected.count != found.count) {
      fail("P10 a search for \(query.text) finds \(found.count) of \(expected.count) posts")
    }
  }

  private func posts(for user: UserID, _ query: SearchQuery) -> [FoundPost] {
    let search = PostSearch(query.words, in: [], query.place, after: query.after, limit: 1)
    return truth.order.flatMap { stream -> [FoundPost] in
      guard case .category(let category) = stream, let list = truth.streams[stream],
        list.isMember(user), query.categories?.contains(category) ?? true,
        case .category(let head) = list.state.object(.category, category.uuid),
        query.categories != nil || head.removed == nil
      else { return [] }
      return list.state.objects.values.compactMap { object in
        guard case .post(let post) = object, search.finds(post, in: category) else { return nil }
        return FoundPost(post, in: category)
      }
    }
  }
}

// Twins (protocol §8, post.twins).
extension Workload {
  func twins(_ device: Device) -> Query? {
    let world = device.world
    guard let list = world.random.pick(device.streams.compactMap(\.category)) else { return nil }
    let posts = device.objects(of: .category(list)).compactMap { object in
      if case .post(let post) = object { post } else { nil }
    }
    guard let post = world.random.pick(posts), !post.title.isEmpty else { return nil }
    return .twins(
      TwinsQuery(
        category: list, title: post.title, besides: world.random.happens(500) ? post.id : nil))
  }
}

extension Simulation {
  /// Checks P9 and P10. Removed posts are no twins, so a replica knows all posts of a list that count here.
  func checkTwins(_ user: UserID, _ query: TwinsQuery, _ answer: [UInt8]) {
    guard let lines = read(answer, to: "twins", TwinLine.decodeListResult) else { return }
    guard let list = truth.streams[.category(query.category)], list.isMember(user) else {
      return fail("P9 somebody who is no member is told twins in \(query.category)")
    }
    let posts = list.state.objects.values.compactMap { object in
      if case .post(let post) = object { post } else { nil }
    }
    let expected = TwinTitle(query.title)?.twins(among: posts, besides: query.post) ?? []
    count(.p10Found, lines.count)
    if lines != expected.map(TwinLine.init) {
      fail("P10 \(lines.count) twins of \(query.title), and not \(expected.count)")
    }
  }
}
