package import Foundation

/// The package as it lies on disk, sources, samples and all.
package let packageFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
