# shellcheck shell=bash disable=SC2154
# Installs missing packages by apt.

# waits for cloud-init, which may install packages
settle() {
  # status 2 is "done, with recoverable errors"
  command -v cloud-init >/dev/null || return 0
  timeout -k 30 600 cloud-init status --wait >/dev/null 2>&1 || [ $? = 2 ] || {
    cloud-init status --long >&2 || true
    die "cloud-init failed, or has not ended in 600 s: see its output above, and /var/log/cloud-init-output.log there"
  }
}

# sets the environment of apt's commands: the process list would show a proxy's password in an option
apt_environment() {
  # files of packages must be readable for every user
  umask 022
  export DEBIAN_FRONTEND=noninteractive http_proxy=$http_proxy_url https_proxy=$https_proxy_url no_proxy=$no_proxy_list
}

# unlocked COMMAND...: runs a command of apt or dpkg, and repeats it while another process has one of their locks, such as
# unattended-upgrades after the first boot. apt itself can wait only for dpkg's lock. Sets `said`, the command's output
unlocked() {
  local start=$SECONDS
  until said=$("$@" 2>&1); do
    [[ $said == *"Could not get lock"* || $said == *"locked by another process"* ]] || return 1
    if ((SECONDS - start >= 300)); then
      say "$said"
      die "another process has held a lock of apt or dpkg for 300 s, see their words above: run again once it has \
ended; 'systemctl status unattended-upgrades apt-daily apt-daily-upgrade' there says what it does"
    fi
    sleep 2
  done
}

# apt_get COMMAND OPTION...: runs apt-get by `unlocked`, in apt's environment
apt_get() {
  unlocked apt-get -q -y -o Acquire::Retries=3 -o Dpkg::Options::=--force-confold "$@"
}

# needs COMMAND PACKAGE...: installs Debian packages if the command is missing, through the site's proxy
needs() {
  local command=$1
  shift
  ! command -v "$command" >/dev/null || return 0
  command -v apt-get >/dev/null || die "$command is not installed: use an image that has it"
  say "$command is not installed: installing $*"
  (
    apt_environment
    { apt_get update && apt_get install --no-install-recommends "$@"; } || {
      say "$said"
      die "$command is not installed and apt-get cannot install $*: use an image that has it, or give the node a \
package repository that it can reach"
    }
  )
}
