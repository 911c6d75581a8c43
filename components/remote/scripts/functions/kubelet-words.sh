# shellcheck shell=bash
# Reasons why a node's kubelet or control plane does not start, which kubeadm does not show.

# prints the last errors of the kubelet, and the last lines of each ended container of the control plane
kubelet_words() {
  local errors id name
  errors=$(journalctl -u kubelet -o cat -n 500 --no-pager 2>/dev/null | grep -E '^[EF][0-9]{4} ' | tail -n 10) || true
  [ -n "$errors" ] || errors=$(journalctl -u kubelet -o cat -n 10 --no-pager 2>/dev/null) || true
  [ -z "$errors" ] || say "the kubelet's journal ends with:" "$errors"
  command -v crictl >/dev/null || return 0
  while read -r id name; do
    say "the last container $name ended with:"
    timeout -k 10 20 crictl logs --tail 10 "$id" >&2 || true
  done < <(timeout -k 10 20 crictl ps -a --state exited --name '^(kube-|etcd)' --output table 2>/dev/null | last_containers)
}

# prints the newest container of each name, as "id name", from crictl's table: its times contain spaces, its states do not
last_containers() {
  awk 'NR > 1 { for (i = 2; i < NF; i++) if ($i == "Exited" && !seen[$(i + 1)]++) print $1, $(i + 1) }'
}
