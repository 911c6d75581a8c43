# shellcheck shell=bash
# Additions for Cluster API, workload clusters and Kubernetes' conformance tests: images in the registry, and a web server
# with release files and a repository of Helm charts.

PLATFORM="cluster-api capo cert-manager flannel-cni-plugin"
ADDONS="cloud-provider-openstack csi-sidecars csi-attacher metrics-server"
CONFORMANCE="e2e-v1.33 coredns"
# programs that the tests call in their images, in addition to busybox
CONFORMANCE_PACKAGES="busybox bash bind9-dnsutils iperf netcat-openbsd"
NETWORKS="kube-router multus kube-vip"
BACKUP="velero"
# programs that kube-router calls
NETWORKS_PACKAGES="iptables ipset conntrack"

group_images() { # SCRIPT PROGRAMS LAYOUT ROOT
  PYTHONPATH=$LAB_HOME/images python3 "$LAB_HOME/$1.py" "$3" "$4" "$2"
}
group_images_of() { in_layers "$3" "" group_images "$1" "$2" "$4"; } # SCRIPT PROGRAMS STACK LAYOUT

# Builds programs of the toolchain, lets a script make images of them and of a Debian tree, and pushes the images.
push_group() { # NAME SCRIPT STACK COMPONENT...
  local name=$1 script=$2 stack=$3 programs images; shift 3
  programs=$(programs_of "$@")
  images=$(recipe_fingerprint "$programs $stack $script" "$script.py" cluster-api/images.py cluster-api/autoscaler.sh images/oci.py images/tools.py)
  images=$(build_layer images "$images" group_images_of "$script" "$programs" "$stack")
  ln -sfn "$images" "$VNFM_LAB/images-$name"
  push_images
}

# NAME PACKAGES: prints the layers of Debian with these packages
stack_with() {
  local below recipe layer; below=$(debian_stack)
  recipe=$(echo "$below $2 $(declare -f apt_install)" | fingerprint -)
  layer=$(build_layer "$1" "$recipe" on_top_of "$below" apt_install "$2")
  echo "$layer:$below"
}

# The charts are in the registry too, as oci://.../charts/NAME.
push_charts() {
  PYTHONPATH=$LAB_HOME/images python "$LAB_HOME/cluster-api/push_charts.py" "$VNFM_LAB/web/charts/" \
    "http://$HOST_IP:$REGISTRY_PORT"
}

# The files are links, so a new version is served at once.
start_web() {
  build cluster-api-mirror charts
  mkdir -p "$VNFM_LAB/web"
  ln -sfn "$(build --path cluster-api-mirror)" "$VNFM_LAB/web/releases"
  ln -sfn "$(build --path charts)" "$VNFM_LAB/web/charts"
  start web python3 -m http.server --bind "$HOST_IP" --directory "$VNFM_LAB/web" "$WEB_PORT"
  wait_port web "$HOST_IP" "$WEB_PORT"
}
