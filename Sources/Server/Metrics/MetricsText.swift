// The text format of Prometheus, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats): families, each
// with its HELP and TYPE lines and then all of its samples. Names follow prometheus.io/docs/practices/naming: base
// units (seconds, bytes), and `_total` on numbers that only grow.

internal import Net

/// A page of metrics that is being written.
struct MetricsText {
  enum Kind: String {
    case counter, gauge, histogram
  }

  struct Label {
    let name: StaticString
    let value: String

    init(_ name: StaticString, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var bytes: [UInt8] = []
  private var family = ""

  init() { bytes.reserveCapacity(32 * 1024) }

  /// Begins a family. The samples that follow until the next call belong to it.
  mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    family = name
    append("# HELP \(name) ")
    appendEscaped(help, quotes: false)
    append("\n# TYPE \(name) \(kind.rawValue)\n")
  }

  mutating func sample(_ labels: Label..., value: Int) {
    line("", labels, "\(value)")
  }

  mutating func sample(_ labels: [Label], value: Int) {
    line("", labels, "\(value)")
  }

  mutating func sample(_ labels: Label..., seconds: Double) {
    line("", labels, "\(seconds)")
  }

  /// Writes a family of one sample.
  mutating func one(_ name: String, _ kind: Kind, _ help: String, value: Int) {
    begin(name, kind, help)
    line("", [], "\(value)")
  }

  /// Writes all lines of a histogram. `unit` is how many units of the noted numbers make one of those shown.
  mutating func histogram(
    _ labels: [Label], _ reading: Histogram.Reading, bounds: [Int], unit: Double
  ) {
    var count = 0
    for (index, bound) in bounds.enumerated() {
      count += reading.counts[index]
      let upper = unit == 1 ? "\(bound)" : "\(Double(bound) / unit)"
      line("_bucket", labels + [Label("le", upper)], "\(count)")
    }
    count += reading.counts[bounds.count]
    line("_bucket", labels + [Label("le", "+Inf")], "\(count)")
    line("_sum", labels, unit == 1 ? "\(reading.sum)" : "\(Double(reading.sum) / unit)")
    line("_count", labels, "\(count)")
  }

  private mutating func line(_ suffix: String, _ labels: [Label], _ value: String) {
    append(family)
    append(suffix)
    for (index, label) in labels.enumerated() {
      append(index == 0 ? "{" : ",")
      append("\(label.name)=\"")
      appendEscaped(label.value, quotes: true)
      append("\"")
    }
    append(labels.isEmpty ? " " : "} ")
    append(value)
    append("\n")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func appendEscaped(_ text: String, quotes: Bool) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\"") where quotes: append("\\\"")
      default: bytes.append(byte)
      }
    }
  }
}
