# shellcheck shell=bash disable=SC2154
# ensure: the node can run kubeadm: cloud-init is done, swap is off, forwarding is on, the tools are there, the
# cloud's metadata service is closed to pods
# check: whether it is closed to pods, and /etc/hosts names the node
#
# node_name    host name and name of the Node
# node_address  its address in the cluster
# node_role    master or worker
# apt_url, apt_suite, apt_components  apt repository with the Kubernetes packages; empty for none
# apt_key      its public OpenPGP keys, binary, in base64
# apt_version  version of kubelet, kubeadm and kubectl, 1.33.0
# apt_packages names of further packages
# node_script  the package's own preparation, a script; empty for none
# dual_stack   yes where pods have addresses of IPv6 too
# nfs_client   yes where pods mount NFS
# operator_files  the operator's own, as registry_files
# trusted_files  CAs that every program trusts, as registry_files
# registry_files  what pods pull from private registries with, lines of "mode path content", the content in base64
# node_files   files that what kubeadm makes will read, as registry_files
# registry_names  lines of /etc/hosts for these registries
# http_proxy_url, https_proxy_url, no_proxy_list  the site's proxy; empty for none
# proxy_files  what containerd has of it, as registry_files

. ./functions/apt.sh
. ./functions/files.sh

# /etc/hosts has these lines in a part of its own, or no such part. $1: what they name; $2: the lines
name_hosts() {
  local begin="# BEGIN vnfm: $1, written whole" end='# END vnfm'
  {
    without_block /etc/hosts "$begin" "$end"
    [ -z "$2" ] || printf '%s\n' "$begin" "$2" "$end"
  } >/etc/hosts.vnfm
  # in place: /etc/hosts may be a mount
  cmp -s /etc/hosts.vnfm /etc/hosts || cat /etc/hosts.vnfm >/etc/hosts
  rm /etc/hosts.vnfm
}

# pods on the node's network are to find the node where the others do, and not at 127.0.1.1
name() {
  [ "$(hostname)" = "$node_name" ] || hostnamectl set-hostname "$node_name"
  name_hosts "this node" "$node_address $node_name"
}

# what turns swap on at a boot: units of fstab, of partitions and of zram, and services that do it by themselves
swap_units() {
  {
    systemctl list-units --all --plain --no-legend --type swap || true
    systemctl list-unit-files --no-legend --type swap || true
    systemctl list-unit-files --no-legend zramswap.service zram-config.service dphys-swapfile.service || true
  } 2>/dev/null | awk '$2 != "masked" && $2 != "not-found" { print $1 }' | sort -u
}

# a kubelet does not start with swap: the node would be lost with its next boot
swap() {
  local unit
  while read -r unit; do
    # a unit whose file is the image's own cannot be masked
    systemctl mask -q --now -- "$unit" || systemctl disable -q --now -- "$unit" ||
      say "$unit may turn swap on at the next boot, with which the kubelet does not start"
  done < <(swap_units)
  swapoff -a
  sed -i '/\sswap\s/s/^[^#]/#&/' /etc/fstab
}

kernel() {
  printf '%s\n' overlay br_netfilter >/etc/modules-load.d/kubernetes.conf
  # both may be built in, or not be needed by the CNI
  modprobe -a overlay br_netfilter 2>/dev/null || true
  printf 'net.ipv4.ip_forward = 1\n' >/etc/sysctl.d/99-kubernetes.conf
  [ -z "$dual_stack" ] || ipv6_forwarding >>/etc/sysctl.d/99-kubernetes.conf
  sysctl -q -p /etc/sysctl.d/99-kubernetes.conf
  # there only with br_netfilter
  if [ -e /proc/sys/net/bridge/bridge-nf-call-iptables ]; then
    printf 'net.bridge.bridge-nf-call-iptables = 1\n' >>/etc/sysctl.d/99-kubernetes.conf
    sysctl -q -p /etc/sysctl.d/99-kubernetes.conf
  fi
}

# A kernel that forwards would take no more routes and addresses from routers, where it has done so: 1, or 2 since an
# earlier run, whose file is written anew.
ipv6_forwarding() {
  local setting
  for setting in /proc/sys/net/ipv6/conf/*/accept_ra; do
    case $(cat "$setting") in
      1 | 2) printf '%s = 2\n' "${setting#/proc/sys/}" ;;
    esac
  done
  printf 'net.ipv6.conf.%s.forwarding = 1\n' all default
  [ ! -e /proc/sys/net/bridge/bridge-nf-call-ip6tables ] || echo 'net.bridge.bridge-nf-call-ip6tables = 1'
}

# exact_files LIST LINES APPLY: the node has the files of LINES, and no others that LIST names from an earlier run. APPLY runs
# for the changed ones, whose paths are in $due; a run that was cut off is made up for
exact_files() {
  local list=$1 due=$1.due path paths
  [ -n "$2" ] || [ -e "$list" ] || [ -e "$due" ] || return 0
  paths=$(awk '{ print $2 }' <<<"$2")
  while read -r path; do
    printf '%s\n' "$path" >>"$due"
    [ -d "$path" ] || rm -f "$path"
  done < <(grep -vxF -- "$paths" "$list" 2>/dev/null || true)
  if [ -n "$paths" ]; then printf '%s\n' "$paths" >"$list"; else rm -f "$list"; fi
  each_file write_changed "$2"
  if [ -e "$due" ]; then
    "$3"
    rm "$due"
  fi
}

# Writes a file, and notes one that had another content. $1: mode; $2: path; $3: content
write_changed() {
  base64 -d <<<"$3" | cmp -s - "$2" || printf '%s\n' "$2" >>"$due"
  write_file "$@"
}

configure_files() { exact_files /etc/vnfm-operator-files "$operator_files" :; }

trust() { exact_files /etc/vnfm-trusted-files "$trusted_files" update_trusted; }

update_trusted() {
  local anchors=/etc/pki/ca-trust/source/anchors
  rm -f "$anchors"/vnfm-*.crt
  [ -z "$trusted_files" ] || [ ! -d "$anchors" ] || cp /usr/local/share/ca-certificates/vnfm-*.crt "$anchors/"
  if command -v update-ca-trust >/dev/null; then
    update-ca-trust
  else
    needs update-ca-certificates ca-certificates
    update-ca-certificates --fresh >&2
  fi
  # it has read them when it started
  ! systemctl is-active -q containerd || systemctl restart containerd
}

# the container runtime pulls through the proxy; everything else on the node does without it
proxy() { exact_files /etc/vnfm-proxy-files "$proxy_files" restart_containerd; }

restart_containerd() {
  systemctl daemon-reload
  systemctl try-restart containerd
}

# the tools that are missing or of another version than wanted
wrong_tools() {
  local tool
  for tool in kubelet kubeadm kubectl; do
    [ "$(version_of "$tool")" = "v$apt_version" ] || printf '%s ' "$tool"
  done
}

version_of() { # TOOL
  case $1 in
    kubelet) kubelet --version ;;
    kubeadm) kubeadm version -o short ;;
    kubectl) kubectl version --client ;;
  esac 2>/dev/null | awk '/v[0-9]/ && !done { print $NF; done = 1 }'
}

missing_packages() {
  local package
  for package in $apt_packages; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s ' "$package"
  done
}

apt_repository=/etc/apt/sources.list.d/kubernetes.sources
apt_keyring=/etc/apt/keyrings/kubernetes.gpg
# no other repository has to be reachable
this_repository_only=(-o Dir::Etc::sourcelist="$apt_repository" -o Dir::Etc::sourceparts=/dev/null)

add_repository() {
  install -d -m 755 "${apt_repository%/*}" "${apt_keyring%/*}"
  base64 -d <<<"$apt_key" | install -m 644 /dev/stdin "$apt_keyring"
  {
    printf '%s\n' "Types: deb" "URIs: $apt_url" "Suites: $apt_suite"
    [ -z "$apt_components" ] || printf 'Components: %s\n' "$apt_components"
    printf 'Signed-By: %s\n' "$apt_keyring"
  } | install -m 644 /dev/stdin "$apt_repository"
}

read_repository() {
  ! apt_get update "${this_repository_only[@]}" -o APT::Get::List-Cleanup=0 -o APT::Update::Error-Mode=any || return 0
  say "$said"
  [[ $said != *"NO_PUBKEY"* && $said != *"EXPKEYSIG"* && $said != *"BADSIG"* ]] ||
    die "the apt repository $apt_url is not signed by the key in apt_repository.signed_by: set it to the \
repository's own key, often its Release.key"
  die "the apt repository $apt_url cannot be read: see apt's words above, and apt_repository and proxy in \
the stack config"
}

# The repository's package of a tool in the wanted version, as `kubelet=1.33.0-1.1`.
package_of() { # TOOL
  local version known=""
  while read -r version; do
    [[ $version != "$apt_version" && $version != "$apt_version"-* ]] || {
      printf '%s=%s\n' "$1" "$version"
      return
    }
    known+=" $version"
  done < <(apt-cache "${this_repository_only[@]}" madison "$1" | awk -F ' *[|] *' '{ print $2 }')
  die "the apt repository $apt_url has no $1 $apt_version, only:${known:- none}. Set kubernetes_version, or \
apt_repository.url and suite, to what fits"
}

install_tools() {
  local -a wanted=()
  local tool package
  if [ -n "$(wrong_tools)" ]; then
    for tool in kubelet kubeadm kubectl; do
      package=$(package_of "$tool")
      wanted+=("$package")
    done
  fi
  # shellcheck disable=SC2206 # a list of names
  wanted+=($apt_packages)
  # an installation that was cut off
  unlocked dpkg --configure -a --force-confold || die "$said"
  local -a how=(install --no-install-recommends --allow-downgrades --allow-change-held-packages)
  # what they depend on may be in repositories of the image's own, which apt has not read yet
  apt_get "${how[@]}" --simulate "${wanted[@]}" || apt_get update || true
  apt_get "${how[@]}" "${wanted[@]}" || {
    say "$said"
    die "${wanted[*]} cannot be installed from the apt repository $apt_url: see apt's words above. What they \
depend on must be in it, in the image, or in a repository that the image knows"
  }
}

# ensure: what apt_repository is for is there. A node that has it needs no network for it
packages() {
  [ -n "$apt_url" ] || return 0
  # a member of a cluster keeps its version
  [ ! -e /etc/kubernetes/vnfm-complete ] || return 0
  if [ -n "$(wrong_tools)$(missing_packages)" ]; then
    command -v apt-get >/dev/null || die "apt_repository needs an image with apt"
    (
      apt_environment
      add_repository
      read_repository
      install_tools
    )
  fi
  # also after a run that was cut off; the image's own packages are not ours to hold
  # shellcheck disable=SC2086 # a list of names
  [ ! -e "$apt_repository" ] || unlocked apt-mark hold kubelet kubeadm kubectl $apt_packages || die "$said"
  [ -z "$(wrong_tools)" ] ||
    die "$(wrong_tools)is not v$apt_version though the packages are installed: remove the image's own, at \
$(command -v "$(wrong_tools | cut -d ' ' -f 1)")"
}

tools() {
  local tool
  for tool in containerd kubelet kubeadm kubectl; do
    command -v "$tool" >/dev/null ||
      die "$tool is not installed: use an image, an apt_repository or a script_path that installs it"
  done
  systemctl enable -q --now containerd
  systemctl enable -q kubelet
}

package_script() {
  [ -n "$node_script" ] || return 0
  # as a file: an argument would show in the process list, and has a size limit; without the lock of the node, which
  # a process that it leaves behind would hold
  NODE_NAME=$node_name NODE_ROLE=$node_role \
    http_proxy=$http_proxy_url https_proxy=$https_proxy_url no_proxy=$no_proxy_list \
    bash <(printf '%s\n' "$node_script") >&2 9>&- || die "the package's script_path ended with status $?"
}

name_registries() { name_hosts "private registries" "$registry_names"; }

configure_registries() {
  [ -z "$registry_files" ] || containerd config dump | grep 'config_path = .*/etc/containerd/certs\.d' >/dev/null ||
    die "containerd does not read /etc/containerd/certs.d, which private_registry_connection_info needs: use an image \
that sets config_path to it in the section registry of containerd's configuration"
  exact_files /etc/containerd/vnfm-registry-files "$registry_files" apply_registries
}

apply_registries() {
  local path
  while read -r path; do
    rmdir --ignore-fail-on-non-empty "${path%/*}" 2>/dev/null || true
  done <"$due"
  # the kubelet would go on with its old logins for five minutes
  if grep -qxF /.docker/config.json "$due"; then systemctl try-restart kubelet; fi
}

# what kubeadm's configuration names. One that is there stays: a kube-apiserver that runs may have to start anew for
# another one, which is for api-server.sh
add_files() { each_file add_file "$node_files"; }

# Writes a file unless the node has one at its path. $1: mode; $2: path; $3: content
add_file() { [ -e "$2" ] || write_file "$@"; }

metadata_service=/etc/kubernetes/metadata-service.sh

close_metadata_service() {
  install -d -m 755 "${metadata_service%/*}"
  install -m 755 /dev/stdin "$metadata_service.new" <<'PROGRAM'
. ./../../plan/metadata-service.sh
PROGRAM
  mv "$metadata_service.new" "$metadata_service"
  "$metadata_service" install || die "pods would reach the cloud's metadata service, which shows the server's user data: \
see above"
}

check() {
  grep -qxF "$node_address $node_name" /etc/hosts || echo "/etc/hosts does not name $node_name at $node_address"
  if [ -x "$metadata_service" ]; then "$metadata_service" check; else echo "$metadata_service no longer exists"; fi
}

create() {
  settle
  name
  swap
  kernel
  configure_files
  trust
  packages
  proxy
  name_registries
  package_script
  tools
  close_metadata_service
  configure_registries
  add_files
  [ -z "$nfs_client" ] || needs mount.nfs nfs-common
}

exclusively
"$1" </dev/null
