#!/usr/bin/env bash
# Packs the Helm charts that modules have into a chart repository: pack.sh DIRECTORY
#
# The same sources give the same bytes, so a chart's digest may be pinned. Each chart is what its project releases.
set -euo pipefail

directory=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. ./unpack.sh

# chart NAME FOLDER: a copy of the module's folder to work on; sets `chart`
chart() {
  chart=$work/$1
  cp -r "$source/$2" "$chart"
  chmod -R u+w "$chart"
}

# pack: the chart as it is now, into the repository and its index, where an entry is Chart.yaml with a digest and an address
pack() {
  local name file
  name=$(sed -n 's/^name: *//p' "$chart/Chart.yaml")
  file=$name-$(sed -n 's/^version: *//p' "$chart/Chart.yaml").tgz
  tar --create --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --directory "$work" "$name" |
    gzip --no-name >"$directory/$file"
  {
    printf '  %s:\n  - urls: [%s]\n    digest: %s\n' "$name" "$file" "$(sha256sum "$directory/$file" | cut -d ' ' -f 1)"
    sed '/^---/d; s/^/    /' "$chart/Chart.yaml"
  } >>"$directory/index.yaml"
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

# Upstream fetches the library chart that this one depends on.
cloud_controller_manager() {
  unpack cloud-provider-openstack k8s.io/cloud-provider-openstack
  chart openstack-cloud-controller-manager charts/openstack-cloud-controller-manager
  mkdir "$chart/charts"
  cp -r common "$chart/charts"
  pack
}

# NAME FOLDER COMPONENT MODULE: a chart that the module has as it is released
plain() {
  unpack "$3" "$4"
  chart "$1" "$2"
  pack
}

printf 'apiVersion: v1\nentries:\n' >"$directory/index.yaml"
cert_manager
cloud_controller_manager
plain openstack-cinder-csi charts/cinder-csi-plugin cloud-provider-openstack k8s.io/cloud-provider-openstack
plain metrics-server charts/metrics-server metrics-server sigs.k8s.io/metrics-server
plain flannel chart/kube-flannel flannel github.com/flannel-io/flannel
plain velero charts/velero velero-chart github.com/vmware-tanzu/helm-charts
