// Whoever imports GATTKit can name its errors, and read values of their own as it reads its own.
@_exported public import Octets
