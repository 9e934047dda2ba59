import Sync

/// A step with a refused change, named by its number in `/unsent`.
enum UnsentStep: Equatable {
  case again(Int)
  case drop(Int)
  case choose(Int, Conflict.Choice)

  var number: Int {
    switch self {
    case .again(let number), .drop(let number), .choose(let number, _): number
    }
  }
}
