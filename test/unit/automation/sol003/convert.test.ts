/** Requests of SOL003 as settings: the sample of the specification of PersistentVolumes, and single attributes. */
import { settingsYaml } from "../../../../automation/conversion/yaml";
import { convert } from "../../../../automation/sol003/convert";

const NETWORK = "f0c82461-36b5-4d86-8322-b0bc19cda65f";
const link = (id: string, cpdId: string) => {
  const cpConfig = [{ cpProtocolData: [{ layerProtocol: "IP_OVER_ETHERNET" }] }];
  return { id, resourceId: NETWORK, extCps: [{ cpdId, cpConfig }] };
};
const login = { username: "ubuntu", password: "ubuntu" };
const INSTALLATION = {
  script_path: "Scripts/install_k8s_cluster.sh",
  vim_name: "kubernetes_vim",
  master_node: {
    ...{
      aspect_id: "master_instance",
      ssh_cp_name: "masterNode_CP1",
      nic_cp_name: "masterNode_CP1",
      ...login,
    },
    ...{ pod_cidr: "192.168.0.0/16", cluster_cidr: "10.199.187.0/24", cluster_cp_name: "masterNode_CP1" },
  },
  worker_node: {
    ...{
      aspect_id: "worker_instance",
      ssh_cp_name: "workerNode_CP2",
      nic_cp_name: "workerNode_CP2",
      ...login,
    },
  },
  proxy: { http_proxy: "http://user1:password1@host1:8080", no_proxy: "10.0.0.1" },
};
const REQUEST = {
  flavourId: "simple",
  additionalParams: {
    k8s_cluster_installation_param: INSTALLATION,
    "lcm-operation-user-data": "./UserData/k8s_cluster_user_data.py",
    "lcm-operation-user-data-class": "KubernetesClusterUserData",
  },
  extVirtualLinks: [link("net0_master", "masterNode_CP1"), link("net0_worker", "workerNode_CP2")],
  vimConnectionInfo: [{ id: "8a3adb69", vimId: "8d8373fe", vimType: "openstack" }],
};

const converted = (request: object, path = "requests/vnf-a.json") =>
  convert([{ path, text: JSON.stringify(request) }]).vnfs[0]!;

it("a request becomes a stack config without its secrets, which remarks name", () => {
  const at = "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param";
  expect(settingsYaml({ templates: [], vnfs: [converted(REQUEST)] })).toBe(`config:
  vnfm:vnfs:
    # package: set the folder or file of the VNF package
    # vimConnectionInfo: the cloud is the one of openstack:cloud; set cloud for another one of clouds.yaml
    # password: a secret, which is left out: pulumi config set --secret --path ${at}.master_node.password
    # password: a secret, which is left out: pulumi config set --secret --path ${at}.worker_node.password
    # http_proxy: a secret, which is left out: pulumi config set --secret --path ${at}.proxy.http_proxy
    vnf-a:
      package: vnf-packages/kubernetes-cluster
      flavour: simple
      additionalParams:
        k8s_cluster_installation_param:
          script_path: Scripts/install_k8s_cluster.sh
          vim_name: kubernetes_vim
          master_node:
            aspect_id: master_instance
            ssh_cp_name: masterNode_CP1
            nic_cp_name: masterNode_CP1
            username: ubuntu
            pod_cidr: 192.168.0.0/16
            cluster_cidr: 10.199.187.0/24
            cluster_cp_name: masterNode_CP1
          worker_node:
            aspect_id: worker_instance
            ssh_cp_name: workerNode_CP2
            nic_cp_name: workerNode_CP2
            username: ubuntu
          proxy:
            no_proxy: 10.0.0.1
        lcm-operation-user-data: ./UserData/k8s_cluster_user_data.py
        lcm-operation-user-data-class: KubernetesClusterUserData
      extVirtualLinks:
        masterNode_CP1:
          network: ${NETWORK}
        workerNode_CP2:
          network: ${NETWORK}
`);
});

it("subnets and fixed addresses are those of a connection point, for lists and maps of configurations", () => {
  const config = (address: string, subnetId = "sub-1", macAddress?: string) => ({
    cpProtocolData: [
      {
        layerProtocol: "IP_OVER_ETHERNET",
        ipOverEthernet: {
          ...(macAddress !== undefined && { macAddress }),
          ipAddresses: [{ type: "IPV4", fixedAddresses: [address], subnetId }],
        },
      },
    ],
  });
  const cps = (cpConfig: unknown) => ({ resourceId: NETWORK, extCps: [{ cpdId: "VDU_1_CP", cpConfig }] });
  const linkOf = (cpConfig: unknown) => {
    const { settings, remarks } = converted({ flavourId: "simple", extVirtualLinks: [cps(cpConfig)] });
    return [settings["extVirtualLinks"], remarks.filter((remark) => remark.startsWith("extVirtualLinks."))];
  };
  const fixedAddresses = ["10.0.0.5", "10.0.0.6"];
  const expected = { VDU_1_CP: { network: NETWORK, subnet: "sub-1", fixedAddresses } };
  expect(linkOf([config("10.0.0.5"), config("10.0.0.6")])).toEqual([expected, []]);
  expect(linkOf({ a: config("10.0.0.5"), b: config("10.0.0.6") })).toEqual([expected, []]);
  expect(linkOf([config("10.0.0.5", "sub-1", "fa:16:3e:00:00:01"), config("10.0.0.6", "sub-2")])).toEqual([
    { VDU_1_CP: { network: NETWORK, fixedAddresses } },
    [
      "extVirtualLinks.VDU_1_CP: one subnet is possible, not sub-1, sub-2",
      "extVirtualLinks.VDU_1_CP: macAddress has no setting: Neutron chooses it",
    ],
  ]);
});

it("networks of internal virtual links, and ports that exist, have their place or a remark", () => {
  const { settings, remarks } = converted({
    flavourId: "simple",
    extVirtualLinks: [
      {
        resourceId: NETWORK,
        extCps: [{ cpdId: "CP1", cpConfig: [{ linkPortId: "port-1" }] }],
        extLinkPorts: [{ id: "port-1" }],
      },
    ],
    extManagedVirtualLinks: [{ id: "net1", vnfVirtualLinkDescId: "internalVL1", resourceId: "net-1" }],
  });
  expect(settings["extVirtualLinks"]).toEqual({
    CP1: { network: NETWORK },
    internalVL1: { network: "net-1" },
  });
  expect(remarks).toEqual(
    expect.arrayContaining([
      "extVirtualLinks.CP1: linkPortId has no setting: vnfm creates the ports",
      "extLinkPorts: vnfm creates the ports, and uses none that exist",
    ]),
  );
});

it("a request of a CNF names the cluster that it runs on", () => {
  const additionalParams = { "lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"] };
  const vimConnectionInfo = { vim1: { vimType: "ETSINFV.KUBERNETES.V_1" } };
  expect(converted({ flavourId: "simple", additionalParams }).settings).toMatchObject({
    ...{ package: "my-package", vim: "vnf-a" },
  });
  expect(converted({ flavourId: "simple", vimConnectionInfo }).settings).toMatchObject({ vim: "vnf-a" });
});

it("attributes that the stack config does not have, or has under other names, become remarks", () => {
  const additionalParams = { input_params: "", k8s_cluster_installation_param: INSTALLATION };
  const { remarks } = converted({
    flavourId: "simple",
    additionalParams,
    vnfConfigurableProperties: { a: "b" },
  });
  expect(remarks).toEqual(
    expect.arrayContaining([
      "vnfConfigurableProperties: has no setting",
      "vnfm:vnfs.vnf-a.additionalParams.input_params: unknown setting; it is Tacker's: write k8s_cluster_installation_param",
    ]),
  );
});

it("files that are no requests, and two that become one instance, are an error", () => {
  const files = (...paths: readonly string[]) =>
    paths.map((path) => ({ path, text: JSON.stringify(REQUEST) }));
  expect(() => convert([{ path: "a.json", text: "{}" }])).toThrow(
    "a.json: is no InstantiateVnfRequest: it has no flavourId",
  );
  expect(() => convert([{ path: "a.json", text: "{" }])).toThrow("a.json is no JSON");
  expect(() => convert(files("one/vnf-a.json", "two/VNF_A.json"))).toThrow(
    "two files would become the instance vnf-a: rename one of them",
  );
});
