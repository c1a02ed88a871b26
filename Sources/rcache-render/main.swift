print("rcache-render")
