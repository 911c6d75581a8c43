#!/usr/bin/env bash
# Makes the files of the releases of Cluster API, CAPO and ORC from their Go modules: render.sh KUSTOMIZE DIRECTORY
#
# The directory is laid out as clusterctl reads local repositories, PROVIDER/VERSION/FILE (cmd/clusterctl/client/repository
# of Cluster API, repository_local.go). Each step is that of the module's own Makefile for a release: its name of the
# image and its pull policy in two patches, then `kustomize build config/default`. What a release has as `${NAME:=default}` stays.
set -euo pipefail

kustomize=$1
directory=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. ./unpack.sh

# components PROVIDER FILE CONFIG IMAGE: CONFIG is its folder in the module
components() {
  local release=$directory/$1/$version config=$work/$1
  mkdir -p "$release"
  cp -r "$source/$3" "$config"
  chmod -R u+w "$config"
  sed -i "s@image: .*@image: $4:$version@" "$config/default/manager_image_patch.yaml"
  sed -i 's@imagePullPolicy: .*@imagePullPolicy: IfNotPresent@' "$config/default/manager_pull_policy.yaml"
  "$kustomize" build "$config/default" >"$release/$2"
  install -m 644 "$source/metadata.yaml" "$release"
}

images=registry.k8s.io/cluster-api
unpack cluster-api sigs.k8s.io/cluster-api
components cluster-api core-components.yaml config $images/cluster-api-controller
components bootstrap-kubeadm bootstrap-components.yaml bootstrap/kubeadm/config $images/kubeadm-bootstrap-controller
components control-plane-kubeadm control-plane-components.yaml controlplane/kubeadm/config \
  $images/kubeadm-control-plane-controller

unpack capo sigs.k8s.io/cluster-api-provider-openstack
components infrastructure-openstack infrastructure-components.yaml config \
  registry.k8s.io/capi-openstack/capi-openstack-controller
install -m 644 "$source"/templates/{cluster-template,clusterclass,image-template}*.yaml \
  "$directory/infrastructure-openstack/$version"

# ORC is no provider; its module has the file of its release, and the one CRD of it that CAPO looks for
unpack capo github.com/k-orc/openstack-resource-controller/v2
release=$directory/openstack-resource-controller/$version
mkdir -p "$release"
install -m 644 "$source/dist/install.yaml" "$release"
install -m 644 "$source/config/crd/bases/openstack.k-orc.cloud_images.yaml" "$release/image-crd.yaml"
