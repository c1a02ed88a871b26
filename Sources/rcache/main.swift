print("rcache")
