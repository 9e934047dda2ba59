import Domain
import Sync
import Wire

extension Workload {
  /// Says, changes or removes a line in one of these places.
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
      let answered = world.random.happens(200) ? world.random.pick(lines) : nil
      let post = world.random.happens(400) ? world.random.pick(posts) : nil
      return .line(.say(stream, text: name("line", world), post: post, answers: answered))
    }
    return world.random.happens(500)
      ? .line(.edit(stream, line: line, text: name("line", world)))
      : .line(.remove(stream, line: line))
  }
}
