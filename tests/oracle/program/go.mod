// The root of the module; each minor's requirements are in ../minors/MINOR/go.mod (go build -modfile).
module rbln_dra/oracle

go 1.26
