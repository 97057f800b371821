// The root of the module; the requirements of each minor are in minors/MINOR/go.mod (go build -modfile).
module rbln_dra/oracle/validation

go 1.26
