// The process as the kernel sees it, under the names that every Prometheus client library uses
// (prometheus.io/docs/instrumenting/writing_clientlibs, "Standard and runtime collectors"). All figures are read from
// /proc or asked of the kernel: some 30 µs, no disk.

internal import Glibc
internal import Net

/// The figures of this process now. A figure is nil when the kernel does not tell it.
struct ProcessFigures: Sendable {
  var virtualBytes: Int?
  var residentBytes: Int?
  var openDescriptors: Int?
  var descriptorsMax: Int?
  var cpuSeconds: Double

  init() {
    let pages = ProcessFigures.pages()
    virtualBytes = pages.map { $0.virtual * ProcessFigures.pageBytes }
    residentBytes = pages.map { $0.resident * ProcessFigures.pageBytes }
    openDescriptors = ProcessFigures.countDescriptors()
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      descriptorsMax = Int(clamping: limit.rlim_cur)
    }
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    cpuSeconds = ProcessFigures.seconds(usage.ru_utime) + ProcessFigures.seconds(usage.ru_stime)
  }

  private static var pageBytes: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }

  /// Reads the pages. /proc/self/statm has all pages, then the resident ones (proc(5)).
  private static func pages() -> (virtual: Int, resident: Int)? {
    let words = KernelFile.read("/proc/self/statm").split(separator: UInt8(ascii: " "))
    let numbers = words.prefix(2).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  /// Counts the descriptors. The size of the folder is their number since Linux 6.2, and 0 before. Then the answer is
  /// nil, because counting 20 000 entries would hold a loop for milliseconds.
  private static func countDescriptors() -> Int? {
    var status = stat()
    guard stat("/proc/self/fd", &status) == 0, status.st_size > 0 else { return nil }
    return Int(status.st_size)
  }
}
