#!/bin/bash
# The lab: a real OpenStack on one machine, whose servers are systemd-nspawn containers. See README.md.
#   lab.sh up      starts everything, from any state of the machine; continues a run that crashed
#   lab.sh prepare  the part of `up` without services: Debian and Python packages, Debian for the servers
#   lab.sh status  prints the state of each part; exit status 1 if any is missing
# These add something to a lab that is up:
#   lab.sh image VERSION  a node image with this Kubernetes version, built at the first time
#   lab.sh machine   an image for virtual machines, which QEMU runs instead of systemd-nspawn
#   lab.sh ubuntu  a node image with Ubuntu 24.04
#   lab.sh cluster-api  images, release files and charts for Cluster API
#   lab.sh addons  images for workload clusters: cloud controller manager, Cinder CSI, metrics-server
#   lab.sh conformance  Kubernetes' conformance tests and their images
#   lab.sh backup  images of Velero, and its chart
#   lab.sh networks  images of kube-router, Multus and kube-vip
# And:
#   lab.sh down    halts the servers and stops the cloud
#   lab.sh reset   down, and deletes all servers, volumes and networks
set -euo pipefail
shopt -s inherit_errexit extglob nullglob
cd "$(dirname "${BASH_SOURCE[0]}")"
. lib/env.sh
become_root "$LAB_HOME/lab.sh" "$@"
. lib/process.sh
. lib/progress.sh
. lib/machine.sh
. lib/kernel.sh
. lib/packages.sh
. lib/layers.sh
. lib/guests.sh
. lib/machines.sh
. lib/ubuntu.sh
. lib/backends.sh
. lib/network.sh
. lib/schemas.sh
. lib/services.sh
. lib/registry.sh
. lib/apt.sh
. lib/cluster-api.sh
. lib/sweep.sh

# Downloads that `up` needs before it compiles anything. They can run in parallel to the build of an engine.
prepare() {
  step "this machine" check_machine
  step "Debian packages" install_debian_packages
  step "Python environment" install_venv
  step "guest tree debian-12" build_debian_guest
}

up() {
  local began=$SECONDS
  prepare
  build_programs "$KUBERNETES_VERSION"
  step "sweeping up after a crash" sweep_after_crash
  step "kernel of this machine" prepare_kernel
  step "MariaDB, RabbitMQ, memcached" start_backends
  step "OVN on Open vSwitch: $COMPUTES" start_network
  step "configuration" write_configuration
  step "database schemas" create_schemas
  step "keystone and its catalog" start_identity
  step "OpenStack services" start_services
  step "waiting until all of them answer" wait_until_ready
  step "networks, flavors, images" make_resources
  step "guest tree debian-12-kube-$KUBERNETES_VERSION" build_kube_guest "$KUBERNETES_VERSION"
  step "guest tree debian-12-containerd" build_containerd_guest "$KUBERNETES_VERSION"
  step "image of it" make_resources
  step "guest trees into memory" read_guests
  step "container registry" start_registry
  step "apt repository" start_apt_repository
  [ ! -d "$VNFM_LAB/web" ] || step "release files and charts, and their server" start_web
  printf 'The lab is up after %d s. OS_CLIENT_CONFIG_FILE=%s OS_CLOUD=lab (or lab-admin)\n' \
    $((SECONDS - began)) "$OS_CLIENT_CONFIG_FILE"
}

# VERSION: adds a node image with another Kubernetes version
image() {
  components_of "${1:-}" >/dev/null || exit 2
  build_programs "$1"
  step "guest tree debian-12-kube-$1" build_kube_guest "$1"
  step "image of it" make_resources
  step "guest trees into memory" read_guests
  step "its container images" push_images
}

# adds an image for virtual machines
machine() {
  step "Debian packages" install_machine_packages
  step "image debian-12-machine" build_machine_guest "$KUBERNETES_VERSION"
  step "image of it" make_resources
}

# adds a node image with Ubuntu
ubuntu() {
  step "guest tree ubuntu-24.04" build_ubuntu_guest "$KUBERNETES_VERSION"
  step "image of it" make_resources
}

want_up() { is_up registry || { echo "the lab is down: run \`lab.sh up\` first" >&2; exit 1; }; }

# Adds what Cluster API and workload clusters need. The programs must be built before.
cluster-api() {
  want_up
  step "release files and charts, and their server" start_web
  step "charts in the registry" push_charts
  # shellcheck disable=SC2086 # one word a component
  step "their container images" push_group cluster-api cluster-api/images "$(debian_stack)" $PLATFORM
}

# Adds images of the cloud controller manager, Cinder CSI and metrics-server, and a stand-in for cluster-autoscaler
addons() {
  want_up
  # shellcheck disable=SC2086 # one word a component
  step "their container images" push_group addons cluster-api/addons "$(debian_stack)" $ADDONS
  step "image of the autoscaler" push_group autoscaler cluster-api/autoscaler "$(stack_with autoscaler busybox)" kubernetes-v1.33
}

# Adds the conformance tests of Kubernetes
conformance() {
  want_up
  # shellcheck disable=SC2086 # one word a component
  step "container images of the tests" push_group conformance images/conformance "$(stack_with conformance "$CONFORMANCE_PACKAGES")" $CONFORMANCE
}

# Adds images of pod networks other than flannel
networks() {
  want_up
  # shellcheck disable=SC2086 # one word a component
  step "their container images" push_group networks images/networks "$(stack_with networks "$NETWORKS_PACKAGES")" $NETWORKS
}

# Adds Velero, which backs up the volumes of CNFs
backup() {
  want_up
  step "charts, and their server" start_web
  # shellcheck disable=SC2086 # one word a component
  step "their container images" push_group backup images/backup "$(debian_stack)" $BACKUP
}

take_lock() { # kept while this process or one of its steps runs; the file contains the owner
  exec 9>>"$VNFM_LAB/lock"
  if ! flock -n 9; then
    echo "another run of the lab is at work (process $(<"$VNFM_LAB/lock")): waiting for it, 10 minutes at most" >&2
    flock -w 600 9 ||
      { echo "process $(<"$VNFM_LAB/lock") still holds $VNFM_LAB/lock: run this again when it has ended" >&2; exit 1; }
  fi
  echo "$$" >"$VNFM_LAB/lock"
}

case ${1:-} in
  prepare | up | down | reset | image | machine | ubuntu | cluster-api | addons | conformance | networks | backup)
    as_operator mkdir -p "$VNFM_CACHE"
    mkdir -p "$CACHE" "$ETC" "$RUN" "$LOG" "$STATE" "$SERVERS"
    # takes minutes the first time, so the lab is not locked here
    case $1 in
      cluster-api) build platform ;;
      addons) build addons ;;
      conformance) build conformance ;;
      networks) build networks ;;
      backup) build backup ;;
    esac
    take_lock
    "$@" ;;
  status) status ;;
  *) sed -n '2,/^set /s/^# \{0,1\}//p' lab.sh; exit 2 ;;
esac
