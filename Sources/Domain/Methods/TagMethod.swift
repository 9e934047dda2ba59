/// The changes of a category's tags.
package enum TagMethod: String, MethodFamily {
  case add = "tag.add"
  case edit = "tag.edit"
  case remove = "tag.remove"

  package var row: MethodRow { .change(from: .editor) }
}
