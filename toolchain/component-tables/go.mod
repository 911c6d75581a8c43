module component-tables

go 1.24
