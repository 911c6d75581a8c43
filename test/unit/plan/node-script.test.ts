import { readNodeScript } from "../../../components/plan/kubeadm/node-script";
import type { ClusterInstallation } from "../../../components/settings/model";
import { placeOf } from "../places";

function faultsOf(text: string): readonly string[] {
  const place = placeOf("k8s");
  const params = { script_path: "Scripts/install.sh" } as ClusterInstallation;
  const expected = text.replaceAll("\r\n", "\n");
  expect(readNodeScript(params, { place, readText: () => text })).toBe(expected);
  return place.findings.texts;
}

const refused = (commands: string) => [
  `k8s.script_path: Scripts/install.sh runs ${commands}, which vnfm does after this script: remove it, so that the script only installs what the image lacks; or remove script_path and use an image or an apt_repository that has kubeadm`,
];

it("the plan reads nothing where no script is named", () => {
  const readText = () => {
    throw new Error("read");
  };
  expect(readNodeScript({} as ClusterInstallation, { place: placeOf("k8s"), readText })).toBeUndefined();
});

it.each([
  ["kubeadm init --config /etc/kubeadm.yaml"],
  ["  sudo kubeadm init --pod-network-cidr=$K8S_POD_CIDR \\\n    --upload-certs"],
  ["if ! timeout 300 /usr/bin/kubeadm --v=5 init; then exit 1; fi"],
  ["systemctl start kubelet && sudo -E -u root HTTP_PROXY=$p kubeadm\tinit"],
  ["cert_key=$(sudo kubeadm init phase upload-certs --upload-certs)"],
  ["kubeadm \\\r\n  init\r\n"],
])("the plan refuses a script that begins a cluster: %s", (text) => {
  expect(faultsOf(`#!/bin/bash\nset -e\n${text}\n`)).toEqual(refused("kubeadm init"));
});

it("the plan refuses one that joins a cluster, or does both, as Tacker's installer does for each role", () => {
  const join = "RESULT=$(sudo kubeadm join \\\n  $MASTER:6443 --token $TOKEN_NAME)";
  expect(faultsOf(`add_worker_node() {\n${join}\n}\n`)).toEqual(refused("kubeadm join"));
  expect(faultsOf(`${join}\nkubeadm join $MASTER\nkubeadm init\n`)).toEqual(
    refused("kubeadm init and kubeadm join"),
  );
});

it.each([
  "apt-get install -y kubeadm init-system-helpers",
  "# sudo kubeadm init",
  "true # first this; kubeadm init && kubeadm join",
  'echo "now kubeadm init can run"',
  "echo kubeadm init",
  "kubeadm config images pull",
  "kubeadm version -o short; init",
  "kubeadm-wrapper init",
  "kubeadm initialize",
])("the plan takes one that only installs: %s", (text) => {
  expect(faultsOf(`${text}\n`)).toEqual([]);
});

it("the plan looks through a long script without trying each word again and again", () => {
  expect(
    faultsOf(`${"/".repeat(200_000)}\n${"sudo -E ".repeat(40_000)}\n${"kubeadm - ".repeat(40_000)}`),
  ).toEqual([]);
});
