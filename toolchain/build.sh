#!/usr/bin/env bash
# Builds the engine and the cluster programs, each once, into the cache.
#   build.sh COMPONENT...          components, or the groups engine, cluster, upgrade, platform, addons, conformance,
#                                  networks, backup, tests, and all, which is the first two
#   build.sh --path COMPONENT      print its directory, built or not; `engine` is a complete PULUMI_HOME
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=${VNFM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vnfm}/toolchain
engine=(cli nodejs-language-host kubernetes-plugin openstack-plugin command-plugin)
cluster=(kubernetes-v1.33 etcd-v3.5 coredns flannel pause)
# what a cluster is upgraded to; built only where somebody asks for it
upgrade=(kubernetes-v1.34 etcd-v3.6)
# what makes clusters, and its manifests; and what runs on those clusters; built only where somebody asks for it
platform=(kustomize cluster-api-mirror charts cluster-api capo cert-manager flannel-cni-plugin)
addons=(cloud-provider-openstack csi-sidecars csi-attacher metrics-server helm)
# Kubernetes' own tests with what they run on a cluster, and those of the CIS Benchmark
conformance=(e2e-v1.33 kube-bench)
# networks beside flannel: network policies, further networks of pods, and an address of control planes
networks=(kube-router multus kube-vip)
# backups of the volumes of CNFs
backup=(velero)
# what tests of the product meet away from the lab: a store of states, programs in other languages, an old cluster
tests=(versitygw yaml-language-host python-language-host sdk-generator kubernetes-api-v1.24)
# how many seconds each takes on two idle cores and with empty caches, for the progress; none: it takes next to none
declare -A seconds=(
  [cli]=165 [nodejs-language-host]=15 [kubernetes-plugin]=240 [openstack-plugin]=40 [command-plugin]=25
  [kubernetes-v1.33]=230 [etcd-v3.5]=15 [coredns]=90 [flannel]=45
  [kubernetes-v1.34]=230 [etcd-v3.6]=15
  [kustomize]=10 [cluster-api-mirror]=5 [charts]=5 [cluster-api]=140 [capo]=105 [cert-manager]=120 [flannel-cni-plugin]=5
  [cloud-provider-openstack]=240 [csi-sidecars]=90 [csi-attacher]=30 [metrics-server]=60 [helm]=60
  [e2e-v1.33]=300 [kube-bench]=60
  [kube-router]=90 [multus]=60 [kube-vip]=90
  [velero]=300
  [versitygw]=100 [yaml-language-host]=60 [python-language-host]=15 [sdk-generator]=30 [kubernetes-api-v1.24]=200
)

# Programs without C, so that what they have in common is compiled once; flannel alone needs C.
export CGO_ENABLED=0

# The recipes: each builds the component whose folder it stands in into the directory $1. Their text is part of the hash.

recipe_cli() {
  go_build "$1/pulumi" github.com/pulumi/pulumi/pkg/v3/cmd/pulumi \
    -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v3.259.0
}

# The host closes the channel of a run's result when the run has ended, and whatever fails of its servers at that moment
# is sent to it all the same: a panic, of which the engine says "error reading from server: EOF". So it stays open, with
# room for what comes late.
recipe_nodejs_language_host() {
  local sdk=github.com/pulumi/pulumi/sdk/v3 host
  copy_module $sdk "$1/source"
  host=$1/source/nodejs/cmd/pulumi-language-nodejs/main.go
  sed -i '/^\tdefer close(responseChannel)$/d; s/make(chan \*pulumirpc.RunResponse)$/make(chan *pulumirpc.RunResponse, 3)/' "$host"
  GOFLAGS=-modfile=$1/source.mod go_build "$1/pulumi-language-nodejs" $sdk/nodejs/cmd/pulumi-language-nodejs
  install -m 0755 "$1"/source/nodejs/dist/{pulumi-analyzer-policy,pulumi-resource-pulumi-nodejs} "$1"
  rm -r "$1"/source*
}

# Without its four components, Chart, ConfigFile, ConfigGroup and Directory, of which vnfm makes none: they are written with
# the Go SDK of all of Kubernetes' types, which would be a third of what is compiled.
recipe_kubernetes_plugin() {
  local provider=github.com/pulumi/pulumi-kubernetes/provider/v4
  copy_module $provider "$1/source"
  sed -i '/^\tprovider\(helmv4\|kustomizev2\|yamlv2\) "/d; /^\t"kubernetes:.*: *provider/d' \
    "$1/source/pkg/provider/provider_construct.go"
  GOFLAGS=-modfile=$1/source.mod go_build "$1/pulumi-resource-kubernetes" .
  rm -r "$1"/source*
}
recipe_openstack_plugin() { go_build "$1/pulumi-resource-openstack" .; }
recipe_command_plugin() { go_build "$1/pulumi-resource-command" .; }

# kubeadm's preflight check HTTPProxyCIDR asks for a URL with an IPv4 address in brackets, which Go takes for a fault since
# 1.24.8 and 1.25.2 (https://github.com/kubernetes/kubernetes/issues/135013): it is mended in a copy of the module.
# Kubernetes v1.34.4 does not ask so, and stays as it is.
recipe_kubernetes() {
  local info=k8s.io/component-base/version version program
  version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
  copy_module k8s.io/kubernetes "$1/source"
  sed -i 's/len(testIP) == net.IPv6len/testIP.To4() == nil/' "$1/source/cmd/kubeadm/app/preflight/checks.go"
  GOFLAGS=-modfile=$1/source.mod go_build "$1/kubernetes" . \
    -X "$info.gitVersion=$version" -X $info.gitMajor=1 -X "$info.gitMinor=$(cut -d . -f 2 <<<"$version")"
  rm -r "$1"/source*
  for program in kube-apiserver kube-controller-manager kube-scheduler kube-proxy kubelet kubeadm kubectl; do
    ln -s kubernetes "$1/$program"
  done
}

# Without the cloud providers that this version has within, half of what would be compiled. Its modules use names of Go's own
# packages that the linker gives to no others since Go 1.23, unless it is told not to look.
recipe_kubernetes_api() {
  local version minor program module
  local -a flags=(-checklinkname=0)
  version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
  minor=$(cut -d . -f 2 <<<"$version")
  for module in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags+=(-X "$module.gitVersion=$version" -X "$module.gitMajor=1" -X "$module.gitMinor=$minor")
  done
  GOFLAGS=-tags=providerless go_build "$1/kubernetes" . "${flags[@]}"
  for program in kube-apiserver kube-controller-manager; do ln -s kubernetes "$1/$program"; done
}

recipe_e2e() {
  local info=k8s.io/component-base/version kubernetes=k8s.io/kubernetes version images name
  version=$(go list -m -f '{{.Version}}' $kubernetes)
  images=$(module_folder $kubernetes)/test/images
  GOTOOLCHAIN=local go test -c -vet=off -gcflags=all=-dwarf=false -ldflags "-s -w -X $info.gitVersion=$version -X $info.gitMajor=1 \
    -X $info.gitMinor=$(cut -d . -f 2 <<<"$version")" -o "$1/e2e.test" $kubernetes/test/e2e
  go_build "$1/ginkgo" github.com/onsi/ginkgo/v2/ginkgo
  go_build "$1/sample-apiserver" k8s.io/sample-apiserver
  for name in agnhost nonewprivs; do go_build "$1/$name" $kubernetes/test/images/$name; done
  install -D -m 0644 -t "$1/images/agnhost" "$images"/agnhost/porter/localhost.*
  for name in nautilus kitten; do install -D -m 0644 -t "$1/images/$name" "$images/$name"/html/*; done
}

# With the benchmark that docs/hardening.md is about.
recipe_kube_bench() {
  local module=github.com/aquasecurity/kube-bench folder
  folder=$(module_folder $module)
  go_build "$1/kube-bench" $module
  mkdir "$1/cfg"
  cp -r --no-preserve=mode "$folder"/cfg/{config.yaml,cis-1.10} "$1/cfg"
}

recipe_versitygw() { go_build "$1/versitygw" github.com/versity/versitygw/cmd/versitygw; }
recipe_yaml_language_host() {
  go_build "$1/pulumi-language-yaml" github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml
}

# It finds the programs beside it that it starts.
recipe_python_language_host() {
  local sdk=github.com/pulumi/pulumi/sdk/v3 folder
  folder=$(module_folder $sdk)/python
  go_build "$1/pulumi-language-python" $sdk/python/cmd/pulumi-language-python
  install -m 0755 "$folder"/cmd/pulumi-language-python-exec \
    "$folder"/dist/pulumi-{analyzer-policy,resource-pulumi}-python "$1"
}
recipe_sdk_generator() { go_build "$1/sdk-generator" .; }

recipe_etcd() { go_build "$1/etcd" .; }
recipe_coredns() { go_build "$1/coredns" .; }
recipe_flannel() {
  CGO_ENABLED=1 go_build "$1/flanneld" github.com/flannel-io/flannel -extldflags -static \
    -X github.com/flannel-io/flannel/pkg/version.Version=v0.26.7
}
recipe_pause() { gcc -static -O2 -s -Wall -Wextra -o "$1/pause" pause.c; }

recipe_cluster_api() {
  local module=sigs.k8s.io/cluster-api
  go_build_manager "$1/cluster-api-controller" $module $module
  go_build_manager "$1/kubeadm-bootstrap-controller" $module/bootstrap/kubeadm $module
  go_build_manager "$1/kubeadm-control-plane-controller" $module/controlplane/kubeadm $module
}
recipe_capo() {
  local module=sigs.k8s.io/cluster-api-provider-openstack orc=github.com/k-orc/openstack-resource-controller/v2
  go_build_manager "$1/capi-openstack-controller" $module $module
  go_build "$1/openstack-resource-controller" $orc/cmd/manager \
    -X "$orc/internal/version.gitVersion=$(go list -m -f '{{.Version}}' $orc)"
}
recipe_cert_manager() {
  local module=github.com/cert-manager/cert-manager name
  for name in acmesolver cainjector controller ctl webhook; do
    go_build "$1/cert-manager-$name" "$module/cmd/$name" \
      -X "$module/pkg/util.AppVersion=$(go list -m -f '{{.Version}}' $module)"
  done
}
recipe_cloud_provider_openstack() {
  local module=k8s.io/cloud-provider-openstack name version
  version=$(go list -m -f '{{.Version}}' $module)
  for name in openstack-cloud-controller-manager cinder-csi-plugin k8s-keystone-auth; do
    go_build "$1/$name" "$module/cmd/$name" \
      -X "k8s.io/component-base/version.gitVersion=$version" -X "$module/pkg/version.Version=$version"
  done
}
# The last two are ours.
recipe_csi_sidecars() {
  local package
  for package in github.com/kubernetes-csi/external-{provisioner/v5/cmd/csi-provisioner,snapshotter/v8/cmd/csi-snapshotter} \
    github.com/kubernetes-csi/external-resizer/cmd/csi-resizer ./node-driver-registrar ./livenessprobe; do
    go_build "$1/${package##*/}" "$package"
  done
}
recipe_csi_attacher() {
  go_build "$1/csi-attacher" github.com/kubernetes-csi/external-attacher/v4/cmd/csi-attacher
}
recipe_metrics_server() {
  local module=sigs.k8s.io/metrics-server
  go_build "$1/metrics-server" $module/cmd/metrics-server \
    -X "k8s.io/component-base/version.gitVersion=$(go list -m -f '{{.Version}}' $module)"
}
recipe_flannel_cni_plugin() {
  go_build "$1/flannel-cni-plugin" github.com/containernetworking/plugins/plugins/meta/flannel
}
recipe_kube_router() {
  local module=github.com/cloudnativelabs/kube-router/v2
  go_build "$1/kube-router" $module/cmd/kube-router \
    -X "$module/pkg/version.Version=$(go list -m -f '{{.Version}}' $module)"
}
# The plugin, and what puts it on a node and writes its configuration: upstream's "thin" deployment. It writes the API's
# address in brackets also where it is IPv4, which Go takes for a fault (see recipe_kubernetes).
recipe_multus() {
  local module=gopkg.in/k8snetworkplumbingwg/multus-cni.v4 name
  copy_module $module "$1/source"
  sed -i 's|fmt.Sprintf("%s://\[%s\]:%s", kubeProtocol, kubeHost, kubePort)|kubeProtocol + "://" + net.JoinHostPort(kubeHost, kubePort)|
    s|^\t"fmt"$|&\n\t"net"|' "$1/source/cmd/thin_entrypoint/main.go"
  for name in multus thin_entrypoint; do GOFLAGS=-modfile=$1/source.mod go_build "$1/$name" $module/cmd/$name; done
  rm -r "$1"/source*
}
# The checksum database does not know this module.
recipe_kube_vip() {
  go_build "$1/kube-vip" github.com/kube-vip/kube-vip -X main.Version=v1.0.0
}
# The server, what waits in a pod for its restored volumes, and the plugin for S3 with what puts it beside the server.
recipe_velero() {
  local module=github.com/vmware-tanzu/velero plugin=github.com/vmware-tanzu/velero-plugin-for-aws name
  for name in velero velero-restore-helper; do
    go_build "$1/$name" $module/cmd/$name -X "$module/pkg/buildinfo.Version=$(go list -m -f '{{.Version}}' $module)"
  done
  go_build "$1/velero-plugin-for-aws" $plugin/velero-plugin-for-aws
  go_build "$1/cp-plugin" $plugin/hack/cp-plugin
}
recipe_kustomize() { go_build "$1/kustomize" sigs.k8s.io/kustomize/kustomize/v5; }

recipe_helm() {
  local info=helm.sh/helm/v3/internal/version
  go_build "$1/helm" helm.sh/helm/v3/cmd/helm \
    -X "$info.version=$(go list -m -f '{{.Version}}' helm.sh/helm/v3)" -X $info.gitTreeState=clean
}

# Text, made of the files of modules: folders of other components stand in these as links, so that their hash covers them.
recipe_cluster_api_mirror() {
  build kustomize
  ./render.sh "$(path_of kustomize)/kustomize" "$1"
}
recipe_charts() { ./pack.sh "$1"; }

# go_build_manager OUTPUT PACKAGE MODULE: it says the module's version in its log and to the API server
go_build_manager() {
  local version
  version=$(go list -m -f '{{.Version}}' "$3")
  go_build "$1" "$2" -X "$3/version.gitVersion=$version" -X "$3/version.gitTreeState=clean" \
    -X "$3/version.gitMajor=$(cut -d . -f 1 <<<"${version#v}")" -X "$3/version.gitMinor=$(cut -d . -f 2 <<<"$version")"
}

# module_folder MODULE: prints the folder of the module's files. `go list` alone prints nothing for a module that no build
# has fetched yet, so the module is fetched first.
module_folder() {
  go mod download "$1" && go list -m -f '{{.Dir}}' "$1"
}

# copy_module MODULE DIRECTORY: copies the module's files to DIRECTORY, where a recipe may change them, and writes beside it
# DIRECTORY.mod and DIRECTORY.sum, with which `go build -modfile` takes the copy.
copy_module() {
  local source
  source=$(module_folder "$1")
  cp -r --no-preserve=mode "$source" "$2"
  cp go.mod "$2.mod"
  cp go.sum "$2.sum"
  go mod edit -replace="$1=$2" "$2.mod"
}

# go_build OUTPUT PACKAGE [LINKER FLAG...]: without debug information, which -s and -w leave out of the program and the
# compiler would make all the same, a seventh of its time.
go_build() {
  GOTOOLCHAIN=local go build -buildvcs=false -gcflags=all=-dwarf=false -ldflags "-s -w ${*:3}" -o "$1" "$2"
}

# The PULUMI_HOME of the built engine: its programs and its plugins, as hard links.
recipe_engine() {
  mkdir "$1/bin"
  ln "$(path_of cli)"/* "$(path_of nodejs-language-host)"/* "$1/bin"
  link_plugin "$1" kubernetes 4.25.0
  link_plugin "$1" openstack 5.5.1
  link_plugin "$1" command 1.2.1
  # A file in the place of a folder: there is no other way to tell the CLI not to log each run in full, which takes a
  # quarter of the time of a preview of 50 VNFCs, and 500 MB of disk in a week.
  : >"$1/logs"
}

# link_plugin HOME NAME VERSION
link_plugin() {
  local plugin=$1/plugins/resource-$2-v$3
  mkdir -p "$plugin"
  ln "$(path_of "$2-plugin")/pulumi-resource-$2" "$plugin"
}

# One recipe makes every version of a component.
recipe_of() {
  local name=${1%-v[0-9]*}
  echo "recipe_${name//-/_}"
}

path_of() { echo "$root/$1-$(hash_of "$1")"; }

# The text of a component's recipe and of the functions that it calls, directly or through another one of them.
recipe_text() {
  local text function
  text=$(declare -f "$(recipe_of "$1")")
  for function in copy_module module_folder go_build_manager go_build; do
    [[ ! $text =~ [^_]"$function"[^_] ]] || text+=$(declare -f $function)
  done
  echo "$text"
}

hash_of() {
  {
    recipe_text "$1"
    if [ "$1" = engine ]; then
      for part in "${engine[@]}"; do path_of "$part"; done
    else
      (cd "$here/$1" && find -L . -type f ! -name '*_test.go' ! -path '*/testdata/*' -print0 | sort -z | xargs -0 sha256sum)
    fi
  } | sha256sum | cut -c 1-12
}

# Everything that is built stands in a directory of its own, renamed into place when it is complete.
build() {
  local component=$1 path start=$SECONDS
  path=$(path_of "$component")
  exec 9>"$root/$component.lock"
  flock 9 # another run may be at it
  if [ -d "$path" ]; then
    echo "$component is there"
    return
  fi
  printf '%s is being built ' "$component"
  rm -rf "$path.part"
  mkdir "$path.part"
  run_recipe "$component" "$path.part"
  mv "$path.part" "$path"
  echo " $((SECONDS - start)) s"
}

# build_all COMPONENT...: those that are not there yet, each with its number and how long it and those after it will take
build_all() {
  local component number left
  local -a missing=()
  for component in "$@"; do
    [ -d "$(path_of "$component")" ] || missing+=("$component")
  done
  [ ${#missing[@]} -gt 0 ] || echo "all of it is there: $*"
  for number in "${!missing[@]}"; do
    left=$(minutes_left "$number" "${missing[@]}")
    printf '%d of %d, about %d min left: ' $((number + 1)) ${#missing[@]} "$left"
    build "${missing[number]}"
  done
}

# minutes_left N COMPONENT...: how long all but the first N will take, by the table above and by how fast this machine,
# which has built the first N since the script began, is beside it
minutes_left() {
  local built=$1 component expected=0 rest=0
  shift
  for component in "${@:1:built}"; do expected=$((expected + ${seconds[$component]:-0})); done
  for component in "${@:built+1}"; do rest=$((rest + ${seconds[$component]:-0})); done
  [ "$expected" -lt 60 ] || rest=$((rest * SECONDS / expected))
  echo $(((rest + 59) / 60))
}

# A dot every five seconds, for as long as this program lives. Its sleep keeps no pipe open.
dots() {
  while sleep 5 >&- 2>&- && kill -0 $$ 2>/dev/null; do printf .; done
}

# run_recipe COMPONENT OUTPUT
run_recipe() {
  local log=$root/$1.log folder=$here/$1 status dots
  [ "$1" != engine ] || folder=$here
  dots 9>&- &
  dots=$!
  set +e # only around the subshell, which has its own: a recipe stops at its first fault
  (
    set -e
    cd "$folder"
    "$(recipe_of "$1")" "$2"
  ) >"$log" 2>&1
  status=$?
  kill $dots
  set -e
  [ $status -eq 0 ] || { echo && fail "$1 was not built; the end of $log:
$(tail -n 20 "$log")"; }
}

fail() {
  echo "toolchain/build.sh: $1" >&2
  exit 1
}

check_tools() {
  command -v go >/dev/null || fail "go: not found; install Go 1.26 or newer (for example https://go.dev/doc/install)"
  [[ " $* " != *" flannel "* && " $* " != *" pause "* ]] || command -v gcc >/dev/null ||
    fail "gcc: not found; install a C compiler with the static C library (Debian: apt-get install gcc libc6-dev)"
}

# The components of the groups and names given, one a line.
expand() {
  local name
  for name in "$@"; do
    case $name in
      all) expand engine cluster ;;
      engine) printf '%s\n' "${engine[@]}" engine ;;
      cluster) printf '%s\n' "${cluster[@]}" ;;
      upgrade) printf '%s\n' "${upgrade[@]}" ;;
      platform) printf '%s\n' "${platform[@]}" ;;
      addons) printf '%s\n' "${addons[@]}" ;;
      conformance) printf '%s\n' "${conformance[@]}" ;;
      networks) printf '%s\n' "${networks[@]}" ;;
      backup) printf '%s\n' "${backup[@]}" ;;
      tests) printf '%s\n' "${tests[@]}" ;;
      *)
        [[ " ${engine[*]} ${cluster[*]} ${upgrade[*]} ${platform[*]} ${addons[*]} ${conformance[*]} ${networks[*]} ${backup[*]} ${tests[*]} " == *" $name "* ]] ||
          fail "$name: no such component; choose from: ${engine[*]} ${cluster[*]} ${upgrade[*]} ${platform[*]} ${addons[*]} \
${conformance[*]} ${networks[*]} ${backup[*]} ${tests[*]}, or engine, cluster, upgrade, platform, addons, conformance, networks, backup, tests, all"
        echo "$name"
        ;;
    esac
  done
}

main() {
  [ $# -gt 0 ] || fail "what shall be built? COMPONENT..., engine, cluster or all"
  mkdir -p "$root"
  if [ "$1" = --path ]; then
    [ $# -eq 2 ] || fail "--path takes one component"
    expand "$2" >/dev/null
    path_of "$2"
    return
  fi
  local components
  components=$(expand "$@")
  # shellcheck disable=SC2086 # one word a component
  check_tools $components
  # shellcheck disable=SC2086
  build_all $components
}

main "$@"
