# shellcheck shell=bash disable=SC2154
# ensure: the Node has the label of its server's zone, and the labels and taints of its pool; former ones are removed.
#         The Node of a single control plane exists and is Ready, with kubeadm's label and taint. Runs on a living
#         control-plane node
# check: all of this holds
#
# node_name       name of the Node
# node_zone       availability zone of its server in Nova, as a label's value; empty if the cloud has none
# node_labels     labels of its pool, in the form of the kubelet's --node-labels; may be empty
# node_taints     taints of its pool, in the form of --register-with-taints; may be empty
# kubeadm_config  for a single control plane, as for init-master.sh; else empty: another check reports a missing Node

. ./functions/kubeadm.sh
. ./functions/kubectl.sh

zone_label="topology.kubernetes.io/zone"
role_label="node-role.kubernetes.io/control-plane"
# annotations with the labels and taints that vnfm has set: those no longer declared are removed
labels_annotation=vnfm/labels
taints_annotation=vnfm/taints

is_there() { kubectl get node "$node_name" --request-timeout=20s; }

has_role() {
  [ -n "$(kubectl get nodes -l "$role_label" --field-selector "metadata.name=$node_name" -o name)" ]
}

# restores a deleted Node: the kubelet creates it only at its start, without kubeadm's label and taint
mark() {
  is_there >/dev/null 2>&1 || systemctl restart kubelet
  within 120 is_there || die "there is no Node $node_name: see the kubelet's journal there"
  fill_in "$(kubeadm version -o short)" <<<"$kubeadm_config" |
    kubeadm init phase mark-control-plane --config /dev/stdin >&2
}

be_sole_master() {
  # in the background, because others need the node while this waits for its network
  (
    exclusively
    systemctl start kubelet
    has_role || mark
  )
  within 300 will_be_ready "$node_name" || not_ready
}

# entries LIST: prints the entries of a list with commas, one in each line
entries() { tr ',' '\n' <<<"$1" | sed '/^$/d'; }

labels() { entries "${node_zone:+$zone_label=$node_zone},$node_labels"; }

# prints the identity of labels (`key=value`) and of taints (`key=value:effect`)
label_ids() { sed 's/=.*//'; }
taint_ids() { sed 's/=.*:/:/'; }

# among LINE LINES: succeeds if LINE is one of LINES
among() { grep -Fxq -e "$1" <<<"$2"; }

# prints lines with the Node's name, and the labels and taints that vnfm has set; then its taints as `key=value:effect`
read_node() {
  kubectl get node "$node_name" "$@" --request-timeout=20s \
    -o "jsonpath={.metadata.name}{\"\n\"}{.metadata.annotations.$labels_annotation}{\"\n\"}\
{.metadata.annotations.$taints_annotation}{\"\n\"}{range .spec.taints[*]}{.key}={.value}:{.effect}{\"\n\"}{end}"
}

# words LINES: prints the lines as one JSON string; null for none
words() {
  local text
  text=$(xargs <<<"$1")
  if [ -n "$text" ]; then printf '"%s"' "$text"; else printf null; fi
}

# names TEXT: prints those words of an annotation, one in each line, that are valid names of labels or taints. A kubelet can
# write anything to its Node's annotations, and here the words become a part of an administrator's request
names() { tr -s ' ' '\n' <<<"$1" | grep -xE '[A-Za-z0-9][A-Za-z0-9._/-]*(:[A-Za-z]+)?' || true; }

# without LINES OTHERS: prints the lines that are not among the others
without() {
  local one
  for one in $1; do among "$one" "$2" || echo "$one"; done
}

# label GOING TAINTS: sets the labels, removes those in GOING, and stores the names of vnfm's labels and taints
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
  # kubectl fails to remove a taint that does not exist
  going=$(without "$former_taints" "$wanted")
  going=$(without "$going" "$(without "$going" "$present")")
  # the name of a taint stays stored until it is removed
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
