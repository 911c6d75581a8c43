#!/usr/bin/env bash
# The dev stack on the lab: `up` from a bare clone to a running CNF, `down` back to nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. toolchain/nodejs.sh

usage() {
  cat <<'TEXT'
usage: lab/dev-stack.sh up|down        (npm start, npm run down)
  up    install the packages, get the engine, start the lab, `pulumi up` on stack dev, show what runs
  down  `pulumi destroy` on stack dev, stop the lab
TEXT
}

# step NAME COMMAND...: runs the command, and prints the name and the seconds
step() {
  local name=$1 start=$SECONDS
  shift
  printf '\n==> %s\n' "$name"
  "$@" || {
    printf '==> %s failed after %d s; run the same command again to go on\n' "$name" $((SECONDS - start)) >&2
    exit 1
  }
  printf '==> %s: %d s\n' "$name" $((SECONDS - start))
}

packages() {
  [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci
}

# Compiles the engine while the lab downloads its packages, which needs the network but hardly the processor. If the
# download fails, `lab up` repeats it and reports the error.
engine_and_packages() {
  local fetched
  fetched=$(mktemp)
  lab/lab.sh prepare >"$fetched" 2>&1 &
  toolchain/pulumi.sh version || return 1
  echo "and beside it, for the lab:"
  tail --lines=+1 --follow --pid=$! "$fetched"
  rm "$fetched"
}

# In the background sudo cannot prompt for a password. If it would, the two steps run one after the other.
engine() {
  if [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; then engine_and_packages; else toolchain/pulumi.sh version; fi
}

recover() {
  # status 2: there is no such stack yet
  npm run --silent vnfm -- recover --stack dev || [ $? = 2 ]
}

select_stack() {
  toolchain/pulumi.sh stack select --create dev
}

# Succeeds if the stack dev exists; ends the program if that cannot be determined.
is_there() {
  local stacks
  stacks=$(toolchain/pulumi.sh stack ls --json) || exit 1
  node -e 'process.exit(JSON.parse(process.argv[1]).some(({ name }) => name === "dev") ? 0 : 1)' "$stacks"
}

output() {
  toolchain/pulumi.sh stack output --stack dev --json "$@"
}

kubectl() {
  (exec -a kubectl "$(toolchain/build.sh --path kubernetes-v1.33)/kubernetes" "$@")
}

show() {
  KUBECONFIG=$(mktemp)
  export KUBECONFIG
  trap 'rm -f "$KUBECONFIG"' EXIT
  output --show-secrets kubeconfigs | node -p 'JSON.parse(fs.readFileSync(0, "utf8"))["vnf-a"]' >"$KUBECONFIG"
  echo
  kubectl get nodes -o wide
  echo
  kubectl get pods --all-namespaces
  echo
  output vnfs | node lab/show-endpoints.mjs
  cat <<'TEXT'

How to go on:
  scale      edit `scale` in Pulumi.dev.yaml, then   npm run pulumi -- up --stack dev
  look       npm run pulumi -- stack output --stack dev
  kubectl    its kubeconfig: npm run --silent pulumi -- stack output --stack dev --show-secrets --json kubeconfigs
  destroy    npm run down
TEXT
}

case ${1:-} in
  up)
    step "npm packages" packages
    step "engine" engine
    step "lab" lab/lab.sh up
    step "recovery of a run that was cut off" recover
    step "stack" select_stack
    step "pulumi up" toolchain/pulumi.sh up --stack dev --yes --skip-preview
    show
    ;;
  down)
    step "npm packages" packages
    step "engine" toolchain/pulumi.sh version
    if is_there; then
      step "lab" lab/lab.sh up
      step "recovery of a run that was cut off" recover
      step "pulumi destroy" toolchain/pulumi.sh destroy --stack dev --yes --skip-preview
    fi
    step "lab down" lab/lab.sh down
    ;;
  -h | --help) usage ;;
  *) usage >&2 && exit 2 ;;
esac
