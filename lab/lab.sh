#!/bin/bash
# The lab: a real OpenStack whose servers are systemd-nspawn machines, on this one machine. See README.md.
#   lab.sh up      everything, from whatever state the machine is in; goes on where a crashed run stopped
#   lab.sh prepare  what of `up` needs no service: Debian and Python packages, the guests' Debian
#   lab.sh status  what is up and what is not; ends with 1 if anything is missing
#   lab.sh image VERSION  also a node image of that version of Kubernetes: builds it the first time; wants `up`
#   lab.sh machine   also an image for whole machines, which QEMU runs instead of systemd-nspawn; wants `up`
#   lab.sh ubuntu  also an image of Ubuntu 24.04 for nodes; wants `up`
#   lab.sh cluster-api  also what Cluster API needs: its images, release files, charts; wants `up`
#   lab.sh addons  also images of what its clusters run: cloud controller manager, Cinder CSI, metrics-server; wants `up`
#   lab.sh conformance  also the images of Kubernetes' conformance tests, and the tests themselves; wants `up`
#   lab.sh networks  also images of kube-router, Multus and kube-vip; wants `up`
#   lab.sh down    halt the servers and the cloud; nothing of it runs any more
#   lab.sh reset   down, and forget all servers, volumes and networks
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

# What `up` fetches before it has anything to compile: beside the build of an engine it takes no time of its own.
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

# VERSION: a node image of another version of Kubernetes, on a lab that is up
image() {
  components_of "${1:-}" >/dev/null || exit 2
  build_programs "$1"
  step "guest tree debian-12-kube-$1" build_kube_guest "$1"
  step "image of it" make_resources
  step "guest trees into memory" read_guests
  step "its container images" push_images
}

# an image whose servers are whole machines, on a lab that is up
machine() {
  step "Debian packages" install_machine_packages
  step "image debian-12-machine" build_machine_guest "$KUBERNETES_VERSION"
  step "image of it" make_resources
}

# an image of Ubuntu for nodes, on a lab that is up
ubuntu() {
  step "guest tree ubuntu-24.04" build_ubuntu_guest "$KUBERNETES_VERSION"
  step "image of it" make_resources
}

want_up() { is_up registry || { echo "the lab is down: run \`lab.sh up\` first" >&2; exit 1; }; }

# What Cluster API and the clusters that it makes need, on a lab that is up. It is built already.
cluster-api() {
  want_up
  step "release files and charts, and their server" start_web
  step "charts in the registry" push_charts
  # shellcheck disable=SC2086 # one word a component
  step "their container images" push_group cluster-api cluster-api/images "$(debian_stack)" $PLATFORM
}

# The same for what runs on clusters of OpenStack servers: cloud controller manager, Cinder CSI, metrics-server
addons() {
  want_up
  # shellcheck disable=SC2086 # one word a component
  step "their container images" push_group addons cluster-api/addons "$(debian_stack)" $ADDONS
}

# The same for the conformance tests of Kubernetes
conformance() {
  want_up
  # shellcheck disable=SC2086 # one word a component
  step "container images of the tests" push_group conformance images/conformance "$(stack_with conformance "$CONFORMANCE_PACKAGES")" $CONFORMANCE
}

# The same for networks beside flannel
networks() {
  want_up
  # shellcheck disable=SC2086 # one word a component
  step "their container images" push_group networks images/networks "$(stack_with networks "$NETWORKS_PACKAGES")" $NETWORKS
}

take_lock() { # and keep it while this process or a step of it lives; the file says whose it is
  exec 9>>"$VNFM_LAB/lock"
  if ! flock -n 9; then
    echo "another run of the lab is at work (process $(<"$VNFM_LAB/lock")): waiting for it, 10 minutes at most" >&2
    flock -w 600 9 ||
      { echo "process $(<"$VNFM_LAB/lock") still holds $VNFM_LAB/lock: run this again when it has ended" >&2; exit 1; }
  fi
  echo "$$" >"$VNFM_LAB/lock"
}

case ${1:-} in
  prepare | up | down | reset | image | machine | ubuntu | cluster-api | addons | conformance | networks)
    as_operator mkdir -p "$VNFM_CACHE"
    mkdir -p "$CACHE" "$ETC" "$RUN" "$LOG" "$STATE" "$SERVERS"
    # minutes the first time, in which the lab is free for others
    case $1 in
      cluster-api) build platform ;;
      addons) build addons ;;
      conformance) build conformance ;;
      networks) build networks ;;
    esac
    take_lock
    "$@" ;;
  status) status ;;
  *) sed -n '2,/^set /s/^# \{0,1\}//p' lab.sh; exit 2 ;;
esac
