#!/usr/bin/env bash
# Packs the Helm charts that modules have into a chart repository: pack.sh HELM DIRECTORY
#
# The same sources give the same bytes, so a chart's digest may be pinned. Each chart is what its project releases.
set -euo pipefail

helm=$1
directory=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# unpack FOLDER MODULE: sets `version`, and `source` to the module's files
unpack() {
  local -a found
  mapfile -t found < <(cd "$1" && go mod download "$2" && go list -m -f '{{.Version}}{{"\n"}}{{.Dir}}' "$2")
  version=${found[0]}
  source=${found[1]}
}

# chart NAME FOLDER: a copy of the module's folder to work on; sets `chart`
chart() {
  chart=$work/$1
  cp -r "$source/$2" "$chart"
  chmod -R u+w "$chart"
}

# pack: the chart as it is now
pack() {
  local name=${chart##*/} number
  number=$(sed -n 's/^version: *//p' "$chart/Chart.yaml" | tr -d \"\')
  "$helm" lint --quiet "$chart"
  tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --directory "$work" "$name" |
    gzip --no-name >"$directory/$name-$number.tgz"
}

# as make/manifests.mk of the module does it for a release
cert_manager() {
  local crd separator=''
  unpack cert-manager github.com/cert-manager/cert-manager
  chart cert-manager deploy/charts/cert-manager
  {
    sed "s/^\(version\|appVersion\): .*/\1: $version/; s/{{IS_PRERELEASE}}/false/" "$chart/Chart.template.yaml"
    echo '  artifacthub.io/signKey: |'
    sed 's/^/    /' "$chart/signkey_annotation.txt"
  } >"$chart/Chart.yaml"
  sed "s/{{RELEASE_VERSION}}/$version/g" "$chart/README.template.md" >"$chart/README.md"
  {
    echo '{{- if .Values.installCRDs }}'
    for crd in "$source"/deploy/crds/*.yaml; do
      printf '%s' "$separator"
      cat "$crd"
      separator=$'---\n'
    done
    echo '{{- end }}'
  } >"$chart/templates/crds.yaml"
  rm "$chart"/*.template.* "$chart/signkey_annotation.txt"
  pack
}

cert_manager
"$helm" repo index "$directory"
