/// Whether the members of a category or group may talk there (protocol §5.20). `off` silences a place: what was said
/// stays, and nothing more is said.
package enum TalkSetting: String, CaseIterable, Sendable {
  case on
  case off
}
