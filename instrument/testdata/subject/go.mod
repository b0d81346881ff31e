module example.com/subject

go 1.21
