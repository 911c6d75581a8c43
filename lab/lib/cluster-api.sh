# shellcheck shell=bash
# What Cluster API and the clusters that it makes need beside the cloud: images in the registry, and a web server with the
# files of their releases and a repository of Helm charts.

build_web() { as_operator "$LAB_HOME/../toolchain/build.sh" cluster-api-mirror charts; }

build_platform() { as_operator "$LAB_HOME/../toolchain/build.sh" platform; }

platform_images() { # PROGRAMS LAYOUT ROOT
  PYTHONPATH=$LAB_HOME/images python3 "$LAB_HOME/cluster-api/images.py" "$2" "$3" "$1"
}
platform_images_of() { in_layers "$2" "" platform_images "$1" "$3"; } # PROGRAMS STACK LAYOUT

push_platform() {
  local programs stack images
  programs=$(programs_of cluster-api capo cert-manager cloud-provider-openstack csi-sidecars csi-attacher metrics-server \
    flannel-cni-plugin)
  stack=$(debian_stack)
  images=$(recipe_fingerprint "$programs $stack" cluster-api images/oci.py images/tools.py)
  images=$(build_layer images "$images" platform_images_of "$programs" "$stack")
  ln -sfn "$images" "$VNFM_LAB/images-cluster-api"
  push_images
}

# What it serves is linked there, so a later version takes its place at once.
start_web() {
  local build=$LAB_HOME/../toolchain/build.sh
  mkdir -p "$VNFM_LAB/web"
  ln -sfn "$("$build" --path cluster-api-mirror)" "$VNFM_LAB/web/releases"
  ln -sfn "$("$build" --path charts)" "$VNFM_LAB/web/charts"
  start web python3 -m http.server --bind "$HOST_IP" --directory "$VNFM_LAB/web" "$WEB_PORT"
  wait_port web "$HOST_IP" "$WEB_PORT"
}
