@main struct Hrsnoop { static func main() {} }
