import Octets
