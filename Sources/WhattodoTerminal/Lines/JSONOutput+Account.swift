import Domain
import Wire

extension JSONOutput {
  /// Writes one's own account; writes nothing when there is none yet.
  static func account(_ profile: Profile?, _ writer: inout JSONWriter) {
    guard let profile else { return }
    writer.key("id")
    writer.string("\(profile.id)")
    writer.key("username")
    writer.string(profile.username)
    guard let end = profile.endsAt else { return }
    writer.key("endsAt")
    writer.int(end.milliseconds)
  }
}
