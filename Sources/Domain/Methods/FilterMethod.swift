/// The changes of the caller's saved filters.
package enum FilterMethod: String, MethodFamily {
  case save = "filter.save"
  case remove = "filter.remove"

  package var row: MethodRow { .change(inBatch: false) }
}
