/// The methods that set something which holds for a moment and is stored nowhere (protocol §5.5).
package enum MomentMethod: String, MethodFamily {
  case presence = "presence.set"
  case typing = "typing.set"
  case progress = "progress.set"

  package var row: MethodRow {
    switch self {
    case .presence: .moment(openToLinks: true)
    case .typing, .progress: .moment()
    }
  }
}
