# shellcheck shell=bash
# The container registry that the guests' containerd uses in place of all registries.

start_registry() {
  local data=$STATE/registry
  mkdir -p "$data"
  cat >"$ETC/registry.yml" <<C
version: 0.1
log: {level: warn}
storage: {filesystem: {rootdirectory: $data}, delete: {enabled: true}}
http: {addr: "$HOST_IP:$REGISTRY_PORT"}
C
  start registry docker-registry serve "$ETC/registry.yml"
  wait_port registry "$HOST_IP" "$REGISTRY_PORT"
  push_images
}

push_images() { # images of every version that was built
  local layout
  for layout in "$VNFM_LAB"/images-*; do
    python3 "$LAB_HOME/images/push.py" "$layout" "http://$HOST_IP:$REGISTRY_PORT"
  done
}
