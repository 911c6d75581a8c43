# shellcheck shell=bash disable=SC2154
# ensure: the Node has the label of where its server is, and the labels and taints of its pool; those of before are gone.
#         That of a sole master is there and Ready, as kubeadm made it. Runs on a master that is alive
# check: whether it has, and is
#
# node_name       name of the Node
# node_zone       Nova's availability zone of its server, as a label's value; empty where the cloud names none
# node_labels     those of its pool, as the kubelet's --node-labels; may be empty
# node_taints     the same as its --register-with-taints
# kubeadm_config  of a sole master, as for init-master.sh; else empty: a Node that is missing is another check's finding

. ./functions/kubeadm.sh
. ./functions/kubectl.sh

zone_label="topology.kubernetes.io/zone"
role_label="node-role.kubernetes.io/control-plane"
# by these the Node remembers which labels and taints are of here: those that are no more go
labels_annotation=vnfm/labels
taints_annotation=vnfm/taints

is_there() { kubectl get node "$node_name" --request-timeout=20s; }

has_role() {
  [ -n "$(kubectl get nodes -l "$role_label" --field-selector "metadata.name=$node_name" -o name)" ]
}

# what somebody removed: the kubelet makes a Node at its start alone, and kubeadm's label and taint are not on it
mark() {
  is_there >/dev/null 2>&1 || systemctl restart kubelet
  within 120 is_there || die "there is no Node $node_name: see the kubelet's journal there"
  fill_in "$(kubeadm version -o short)" <<<"$kubeadm_config" |
    kubeadm init phase mark-control-plane --config /dev/stdin >&2
}

be_sole_master() {
  # others need the node while this waits for its network
  (
    exclusively
    systemctl start kubelet
    has_role || mark
  )
  within 300 will_be_ready "$node_name" || not_ready
}

# entries LIST: of a list with commas, a line each
entries() { tr ',' '\n' <<<"$1" | sed '/^$/d'; }

labels() { entries "${node_zone:+$zone_label=$node_zone},$node_labels"; }

# of labels as `key=value`, and of taints as `key=value:effect`, what makes each another one
label_ids() { sed 's/=.*//'; }
taint_ids() { sed 's/=.*:/:/'; }

# among LINE LINES
among() { grep -Fxq -e "$1" <<<"$2"; }

# a line each with the Node's name, the labels and the taints that are of here; then its taints as `key=value:effect`
read_node() {
  kubectl get node "$node_name" "$@" --request-timeout=20s \
    -o "jsonpath={.metadata.name}{\"\n\"}{.metadata.annotations.$labels_annotation}{\"\n\"}\
{.metadata.annotations.$taints_annotation}{\"\n\"}{range .spec.taints[*]}{.key}={.value}:{.effect}{\"\n\"}{end}"
}

# words LINES: all in one, as JSON; null for none
words() {
  local text
  text=$(xargs <<<"$1")
  if [ -n "$text" ]; then printf '"%s"' "$text"; else printf null; fi
}

# names TEXT: those words of an annotation, a line each, that a label or a taint may have as its id. A kubelet writes to its
# Node's annotations what it likes, and here they become a part of what an administrator sets
names() { tr -s ' ' '\n' <<<"$1" | grep -xE '[A-Za-z0-9][A-Za-z0-9._/-]*(:[A-Za-z]+)?' || true; }

# without LINES OTHERS: those of the lines that are not among the others
without() {
  local one
  for one in $1; do among "$one" "$2" || echo "$one"; done
}

# label GOING TAINTS: sets the labels, removes those that are going, and remembers which labels and taints are of here
label() {
  local changes
  changes=$({
    labels | sed 's/\([^=]*\)=\(.*\)/"\1": "\2"/'
    sed -n 's/..*/"&": null/p' <<<"$1"
  } | paste -sd ,)
  kubectl patch node "$node_name" --request-timeout=20s --type=merge -p "{\"metadata\": {\"labels\": {$changes}, \
\"annotations\": {\"$labels_annotation\": $(words "$(labels | label_ids)"), \"$taints_annotation\": $(words "$2")}}}" >&2
}

mark_pool() {
  local found former_labels former_taints present wanted going
  local -a changes
  found=$(read_node)
  { read -r && read -r former_labels && read -r former_taints && present=$(taint_ids); } <<<"$found"$'\n\n'
  former_labels=$(names "$former_labels")
  former_taints=$(names "$former_taints")
  wanted=$(entries "$node_taints" | taint_ids)
  # kubectl refuses to remove a taint that is not there
  going=$(without "$former_taints" "$wanted")
  going=$(without "$going" "$(without "$going" "$present")")
  # a taint that is going is remembered until it is gone
  label "$(without "$former_labels" "$(labels | label_ids)")" "$wanted"$'\n'"$going"
  mapfile -t changes < <(entries "$node_taints,$(sed -n 's/..*/&-/p' <<<"$going" | paste -sd ,)")
  [ "${#changes[@]}" = 0 ] || kubectl taint node "$node_name" --overwrite "${changes[@]}" >&2
}

create() {
  [ -z "$kubeadm_config" ] || be_sole_master
  within 300 is_there || die "there is no Node $node_name to label: see the kubelet's journal on its server"
  mark_pool
}

check_sole_master() {
  is_ready "$node_name" || echo "Node $node_name is not Ready"
  has_role || echo "Node $node_name has no label $role_label"
}

has_label() { [ -n "$(kubectl get nodes -l "$1" --field-selector "metadata.name=$node_name" -o name)" ]; }

check() {
  local found one
  found=$(read_node --ignore-not-found)
  if [ -z "$found" ]; then
    [ -z "$kubeadm_config" ] || echo "Node $node_name is missing"
    return
  fi
  [ -z "$kubeadm_config" ] || check_sole_master
  for one in $(labels); do
    has_label "$one" || echo "Node $node_name has no label $one"
  done
  for one in $(entries "$node_taints"); do
    among "$one" "$found" || echo "Node $node_name has no taint $one"
  done
}

"$1" </dev/null
