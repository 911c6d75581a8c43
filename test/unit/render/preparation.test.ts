import { preparation } from "../../../components/render/preparation";
import { cluster } from "./cluster";
import { storage } from "./storage";

const nothing = {
  node_name: "vnf-a-workernode-1",
  node_address: "10.0.0.6",
  node_role: "worker",
  apt_url: "",
  apt_suite: "",
  apt_components: "",
  apt_key: "",
  apt_version: "",
  apt_packages: "",
  operator_files: "",
  trusted_files: "",
  registry_files: "",
  node_files: "",
  registry_names: "",
  node_script: "",
  dual_stack: "",
  nfs_client: "",
  http_proxy_url: "",
  https_proxy_url: "",
  no_proxy_list: "",
  proxy_files: "",
};

it("a script gets an empty text for a part that a cluster does not have", () => {
  expect(preparation(cluster, { name: "vnf-a-workernode-1", role: "worker", address: "10.0.0.6" })).toEqual(
    nothing,
  );
});

it("the script gets the repository, the package's script and whether the node is an NFS client", () => {
  const aptRepository = {
    url: "https://packages.example/debian",
    suite: "./",
    components: ["main", "extra"],
    signedBy: "a2V5",
    kubernetesVersion: "v1.33.0",
    packages: ["containerd", "nftables"],
  };
  const equipped = { ...cluster, aptRepository, nodeScript: "#!/bin/sh\n", storage };
  expect(preparation(equipped, { name: "vnf-a-masternode-1", role: "master", address: "10.0.0.5" })).toEqual({
    ...nothing,
    node_name: "vnf-a-masternode-1",
    node_address: "10.0.0.5",
    node_role: "master",
    apt_url: "https://packages.example/debian",
    apt_suite: "./",
    apt_components: "main extra",
    apt_key: "a2V5",
    // as Debian's packages have it
    apt_version: "1.33.0",
    apt_packages: "containerd nftables",
    node_script: "#!/bin/sh\n",
    dual_stack: "",
    nfs_client: "yes",
  });
});
