/// Which version of WhatTODO this is: of all its programs alike. The protocol has a version of its own.
package enum Release {
  package static let version = "0.2.0"
}
