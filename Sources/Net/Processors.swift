// Counts how many loops are worth having. A machine has processors; the process may be bound to some of them
// (sched_setaffinity(2), taskset), and a container may be given the time of fewer (cgroup v2: `cpu.max` is quota and
// period in µs, docs.kernel.org/admin-guide/cgroup-v2.html). Each loop beyond that only makes others wait. Version 1 of
// cgroups is not looked at: there only the affinity counts.

import CLinux
import Glibc

package enum Processors {
  /// The number of processors that this process may use at the same time, at least 1.
  package static var usable: Int {
    let own = String(decoding: KernelFile.read("/proc/self/cgroup"), as: UTF8.self)
    let quotas = folders(ofCgroups: own).map {
      String(decoding: KernelFile.read("/sys/fs/cgroup\($0)/cpu.max"), as: UTF8.self)
    }
    return usable(affinity: Int(whattodo_processors()), quotas: quotas)
  }

  /// Counts processors. `quotas` are the texts of `cpu.max` of the process's group and of those above it.
  static func usable(affinity: Int, quotas: [String]) -> Int {
    max(1, quotas.compactMap(processors).reduce(affinity, min))
  }

  /// Reads a quota as a number of processors, rounded up. Nil for `max`, and for a text that is no quota.
  private static func processors(_ quota: String) -> Int? {
    let numbers = quota.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
    return (numbers[0] - 1) / numbers[1] + 1
  }

  /// Reads from the line `0::/a/b` of /proc/self/cgroup the paths `/a/b`, `/a`, and the empty path of the root.
  static func folders(ofCgroups text: String) -> [String] {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
      return []
    }
    var folders: [String] = []
    var path = line.dropFirst("0::".count)
    while let slash = path.lastIndex(of: "/") {
      if path.count > 1 { folders.append(String(path)) }
      path = path[..<slash]
    }
    return folders + [""]
  }
}

/// Files that the kernel makes up while they are read.
package enum KernelFile {
  /// Reads the beginning of a file, at most 4 096 bytes. Empty when there is no such file.
  package static func read(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
    }
  }
}
