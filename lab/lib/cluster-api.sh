# shellcheck shell=bash
# What Cluster API and the clusters that it makes need beside the cloud: images in the registry, and a web server with the
# files of their releases and a repository of Helm charts.

PLATFORM="cluster-api capo cert-manager flannel-cni-plugin"
ADDONS="cloud-provider-openstack csi-sidecars csi-attacher metrics-server"

build_group() { as_operator "$LAB_HOME/../toolchain/build.sh" "$1"; }

group_images() { # SCRIPT PROGRAMS LAYOUT ROOT
  PYTHONPATH=$LAB_HOME/images python3 "$LAB_HOME/cluster-api/$1.py" "$3" "$4" "$2"
}
group_images_of() { in_layers "$3" "" group_images "$1" "$2" "$4"; } # SCRIPT PROGRAMS STACK LAYOUT

push_group() { # NAME SCRIPT COMPONENT...
  local name=$1 script=$2 programs stack images; shift 2
  programs=$(programs_of "$@")
  stack=$(debian_stack)
  images=$(recipe_fingerprint "$programs $stack $script" cluster-api images/oci.py images/tools.py)
  images=$(build_layer images "$images" group_images_of "$script" "$programs" "$stack")
  ln -sfn "$images" "$VNFM_LAB/images-$name"
  push_images
}

# The charts are in the registry too, as oci://.../charts/NAME.
push_charts() {
  PYTHONPATH=$LAB_HOME/images python "$LAB_HOME/cluster-api/push_charts.py" "$VNFM_LAB/web/charts/" \
    "http://$HOST_IP:$REGISTRY_PORT"
}

# What it serves is linked there, so a later version takes its place at once.
start_web() {
  local build=$LAB_HOME/../toolchain/build.sh
  as_operator "$build" cluster-api-mirror charts
  mkdir -p "$VNFM_LAB/web"
  ln -sfn "$("$build" --path cluster-api-mirror)" "$VNFM_LAB/web/releases"
  ln -sfn "$("$build" --path charts)" "$VNFM_LAB/web/charts"
  start web python3 -m http.server --bind "$HOST_IP" --directory "$VNFM_LAB/web" "$WEB_PORT"
  wait_port web "$HOST_IP" "$WEB_PORT"
}
