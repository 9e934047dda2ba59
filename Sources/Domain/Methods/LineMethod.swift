/// The changes of the talk of a category or group.
package enum LineMethod: String, MethodFamily {
  case say = "line.say"
  case edit = "line.edit"
  case react = "line.react"
  case remove = "line.remove"

  package var row: MethodRow {
    switch self {
    // A line has the number of its event, so an event has one line at most.
    case .say: .change(from: .commenter, inBatch: false)
    // These read the log, as an undo does.
    case .edit, .react: .change(from: .commenter, inBatch: false)
    // It erases a text.
    case .remove: .change(from: .commenter, inBatch: false, makesRoom: true, inArchive: true)
    }
  }
}
