# shellcheck shell=bash
# For recipes that make text of the files of Go modules; each folder that uses it has a link to it, so that its hash covers it.

# unpack FOLDER MODULE: sets `version`, and `source` to the folder of the module's files. FOLDER has the go.mod that pins it.
unpack() {
  local -a found
  mapfile -t found < <(cd "$1" && go mod download "$2" && go list -m -f '{{.Version}}{{"\n"}}{{.Dir}}' "$2")
  version=${found[0]}
  source=${found[1]}
}
