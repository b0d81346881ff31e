module example.com/sensitivity

go 1.24
