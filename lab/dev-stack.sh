#!/usr/bin/env bash
# The dev stack on the lab: `up` from a bare clone to a running CNF, `down` back to nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: lab/dev-stack.sh up|down        (npm start, npm run down)
  up    install the packages, get the engine, start the lab, `pulumi up` on stack dev, show what runs
  down  `pulumi destroy` on stack dev, stop the lab
TEXT
}

# step NAME COMMAND...: the command under its name, with its seconds
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

select_stack() {
  toolchain/pulumi.sh stack select --create dev
}

show() {
  local kubeconfig
  kubeconfig=$(mktemp)
  # shellcheck disable=SC2064
  trap "rm -f '$kubeconfig'" EXIT
  toolchain/pulumi.sh stack output --stack dev --show-secrets --json kubeconfigs |
    node -e 'process.stdout.write(JSON.parse(require("fs").readFileSync(0, "utf8"))["vnf-a"])' >"$kubeconfig"
  toolchain/kubectl.sh --kubeconfig "$kubeconfig" get nodes -o wide
  echo
  toolchain/kubectl.sh --kubeconfig "$kubeconfig" get pods -A
  echo
  toolchain/pulumi.sh stack output --stack dev --json vnfs | node -e '
    const vnfs = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const [worker] = Object.entries(vnfs["vnf-a"].vnfcs).filter(([key]) => key.startsWith("workerNode"));
    const host = Object.values(worker[1].addresses)[0];
    for (const { name, ports } of vnfs["vnf-b"].endpoints)
      for (const { nodePort } of ports) console.log(`CNF vnf-b, Service ${name}: http://${host}:${nodePort}/`);'
  cat <<'TEXT'

How to go on:
  scale      edit `scale` in Pulumi.dev.yaml, then   npm run pulumi -- up --stack dev
  look       npm run pulumi -- stack output --stack dev
  kubectl    npm run --silent pulumi -- stack output --stack dev --show-secrets --json kubeconfigs
  destroy    npm run down
TEXT
}

case ${1:-} in
  up)
    step "npm packages" packages
    step "engine" toolchain/build.sh --engine
    step "lab" lab/lab.sh up
    step "stack" select_stack
    step "pulumi up" toolchain/pulumi.sh up --stack dev --yes --skip-preview
    show
    ;;
  down)
    step "npm packages" packages
    if toolchain/pulumi.sh stack select dev 2>/dev/null; then
      step "lab" lab/lab.sh up
      step "pulumi destroy" toolchain/pulumi.sh destroy --stack dev --yes --skip-preview
    fi
    step "lab down" lab/lab.sh down
    ;;
  -h | --help) usage ;;
  *) usage >&2 && exit 2 ;;
esac
