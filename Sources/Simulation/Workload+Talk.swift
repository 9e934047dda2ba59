import Domain
import Sync
import Wire

extension Workload {
  /// Says, changes, signs or removes a line in one of these places.
  mutating func talk(in shared: [StreamID], _ device: Device) -> Command? {
    let world = device.world
    // Guests by a link are few, and something is to be kept from them.
    let shown = shared.filter { place in
      device.objects(of: place).contains { if case .link = $0 { true } else { false } }
    }
    let places = world.random.happens(400) && !shown.isEmpty ? shown : shared
    guard let stream = world.random.pick(places) else { return nil }
    var (lines, posts): ([Int64], [PostID]) = ([], [])
    for object in device.objects(of: stream) {
      if case .line(let line) = object { lines.append(line.event) }
      if case .post(let post) = object { posts.append(post.id) }
    }
    // Some numbers are of lines that are gone, or of events that are none.
    let head = device.cursor(of: stream)?.seq ?? 1
    let line =
      world.random.happens(900)
      ? world.random.pick(lines) : Int64(1 + world.random.below(Int(head)))
    guard let line, world.random.happens(450) else {
      let answered = world.random.happens(700) ? world.random.pick(lines) : nil
      let post = world.random.happens(400) ? world.random.pick(posts) : nil
      return .line(.say(stream, text: text(in: stream, device), post: post, answers: answered))
    }
    switch world.random.below(5) {
    case 0, 1: return .line(.edit(stream, line: line, text: text(in: stream, device)))
    case 2:
      let sign = world.random.happens(200) ? nil : world.random.pick(["👍", "🎉", "👏"])
      return .line(.react(stream, line: line, sign: sign))
    default: return .line(.remove(stream, line: line))
    }
  }

  /// Makes a text, which may name somebody who is or was in the place.
  private mutating func text(in stream: StreamID, _ device: Device) -> String {
    let world = device.world
    let text = name("line", world)
    guard world.random.happens(400) else { return text }
    let names = device.objects(of: stream).compactMap { object -> String? in
      if case .member(let it) = object { it.username } else { nil }
    }
    return world.random.pick(names.sorted()).map { "\(text) @\($0), do you know?" } ?? text
  }
}
