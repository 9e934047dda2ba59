/// The version of WhatTODO, which is the same for all its programs. The protocol has a version of its own.
package enum Release {
  package static let version = "0.2.0"
}
