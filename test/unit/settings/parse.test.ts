import { parseSettings } from "../../../components/settings/parse";
import { ARMORED_KEY, kubeconfig } from "../fixtures";
import { textOf } from "../../../components/base/findings";

const master = { ssh_cp_name: "masterNode_CP1" };
const worker = { ssh_cp_name: "workerNode_CP2" };

function withInstallation(installation: object): object {
  return {
    "vnf-a": {
      package: "p",
      additionalParams: {
        k8s_cluster_installation_param: { master_node: master, worker_node: worker, ...installation },
      },
    },
  };
}

const faultsOf = (vnfs: unknown): readonly string[] => parseSettings(vnfs).settings.faults.map(textOf);

describe("parseSettings", () => {
  it("fills in the defaults of the specification", () => {
    const { settings } = parseSettings(withInstallation({}));
    const installation = settings.vnfs["vnf-a"]?.additionalParams?.k8s_cluster_installation_param;
    expect(installation?.master_node).toEqual({
      ssh_cp_name: "masterNode_CP1",
      username: "debian",
      pod_cidr: "192.168.0.0/16",
      cluster_cidr: "10.96.0.0/12",
    });
    expect(installation?.management_cidrs).toBeUndefined();
  });

  it("clears host bits with a warning, as in the request samples of Tacker's guides", () => {
    const { settings, warnings } = parseSettings(
      withInstallation({ master_node: { ...master, pod_cidr: "192.168.3.0/16" } }),
    );
    expect(
      settings.vnfs["vnf-a"]?.additionalParams?.k8s_cluster_installation_param?.master_node.pod_cidr,
    ).toBe("192.168.0.0/16");
    expect(warnings).toEqual([
      "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.master_node.pod_cidr: " +
        "192.168.3.0/16 has host bits set; 192.168.0.0/16 is used",
    ]);
  });

  it("wraps what the schema calls secret", () => {
    const { settings } = parseSettings(withInstallation({ master_node: { ...master, password: "hunter2" } }));
    const node = settings.vnfs["vnf-a"]?.additionalParams?.k8s_cluster_installation_param?.master_node;
    expect(node?.password?.reveal()).toBe("hunter2");
    expect(JSON.stringify(settings)).not.toContain("hunter2");
    expect(`${String(node?.password)}`).toBe("[secret]");
  });

  it("takes a private key without a passphrase, and gives it lines that OpenSSH reads", () => {
    const bytes = Buffer.from("openssh-key-v1\0\0\0\0\x04none\0");
    const lines = [
      "-----BEGIN OPENSSH PRIVATE KEY-----",
      bytes.toString("base64"),
      "-----END OPENSSH PRIVATE KEY-----",
      "",
    ];
    const { settings } = parseSettings(
      withInstallation({ master_node: { ...master, private_key: lines.join("\r\n") } }),
    );
    expect(settings.faults).toEqual([]);
    const node = settings.vnfs["vnf-a"]?.additionalParams?.k8s_cluster_installation_param?.master_node;
    expect(node?.private_key?.reveal()).toBe(lines.join("\n"));
  });

  it("wraps a kubeconfig given as the VIM", () => {
    const { settings } = parseSettings({ cnf: { package: "p", vim: { kubeconfig: kubeconfig("abc") } } });
    expect(JSON.stringify(settings)).not.toContain("abc");
  });

  it("leaves the operator's object alone", () => {
    const given = { "vnf-a": { package: "p" } };
    parseSettings(given);
    expect(given).toEqual({ "vnf-a": { package: "p" } });
  });

  it("reports every fault at once: setting, value, what is allowed", () => {
    expect(
      faultsOf({
        "vnf-a": { package: "", scale: { worker: -1, master: "two" }, flavor: "ha" },
        Vnf_B: {},
        "vnf-c": { package: "p", vim: 3 },
      }),
    ).toEqual([
      "vnfm:vnfs.Vnf_B.package: is required",
      "vnfm:vnfs.Vnf_B: is not an instance name; use a-z, 0-9 and -, at most 32",
      'vnfm:vnfs.vnf-a.flavor: unknown setting; did you mean "flavour"?',
      "vnfm:vnfs.vnf-a.package: is empty; set a value or remove it",
      'vnfm:vnfs.vnf-a.scale.master: "two" must be integer',
      "vnfm:vnfs.vnf-a.scale.worker: -1 must be >= 0",
      "vnfm:vnfs.vnf-c.vim: must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
    ]);
  });

  it("keeps the instances apart that something is wrong with, as far as they have names", () => {
    const { settings } = parseSettings({
      "vnf-a": { package: "p" },
      "vnf-ab": { package: "" },
      "vnf-b": { package: "p", images: { "a\nb": "x" } },
      "vnf-c": "p",
      VNF: { package: "p" },
    });
    expect(Object.keys(settings.vnfs)).toEqual(["vnf-a"]);
    expect(settings.refused.map(({ name }) => name)).toEqual(["vnf-ab", "vnf-b", "vnf-c"]);
  });

  it("takes proxies with a login, and what goes without them, as Go reads both", () => {
    const proxy = {
      http_proxy: "http://user:p%40ss%25%5E@proxy.example:3128/",
      https_proxy: "http://[fd00::1]:3128",
      no_proxy: "a.example, .b.example,*.c.example,10.0.0.0/8,10.0.0.1:80,[fd00::1]:80,fd00::/64,fd00::1,*,",
    };
    expect(faultsOf(withInstallation({ proxy }))).toEqual([]);
  });

  it("never shows a secret in a fault", () => {
    const [fault] = faultsOf(withInstallation({ proxy: { http_proxy: "user:hunter2@proxy" } }));
    expect(fault).toContain("proxy.http_proxy: the secret is not a URL of a proxy; write http://host:port");
  });

  it.each(["10.0.0.0", "10.0.0.0/33", "fd00::/129", "ten/8", "10.0.0.0/8; reboot"])(
    "refuses the CIDR %s",
    (cidr) => {
      expect(faultsOf(withInstallation({ management_cidrs: [cidr] }))).toEqual([
        `vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.management_cidrs[0]: ` +
          `"${cidr}" is not a CIDR; write address/prefix length, as in 10.244.0.0/16`,
      ]);
    },
  );

  it.each([
    [null, "null"],
    [[], "a list"],
    ["vnfs", "a text"],
    [7, "7"],
  ])("refuses %j in place of the map of instances", (vnfs, what) => {
    expect(faultsOf(vnfs)).toEqual([`vnfm:vnfs: ${what} must be object`]);
  });

  it("takes an apt repository by its key alone, as a flat one", () => {
    const { settings } = parseSettings(withInstallation({ apt_repository: { signed_by: ARMORED_KEY } }));
    expect(settings.vnfs["vnf-a"]?.additionalParams?.k8s_cluster_installation_param?.apt_repository).toEqual({
      signed_by: ARMORED_KEY,
      suite: "/",
      components: [],
      packages: [],
    });
  });

  it("refuses in an apt repository what would end a line, a word or a shell's argument", () => {
    const path = "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.apt_repository";
    const url = "is not a URL of a repository; write https://host/path, without user, password, spaces and %";
    const faults = (apt_repository: object) =>
      faultsOf(withInstallation({ apt_repository: { signed_by: ARMORED_KEY, ...apt_repository } }));
    for (const bad of ["http://a/ b", "http://a/\nTrusted: yes", "file:///srv", "http://a/$(x)"]) {
      expect(faults({ url: bad })).toContain(`${path}.url: ${JSON.stringify(bad)} ${url}`);
    }
    expect(
      faults({
        suite: "bookworm\nTrusted: yes",
        components: ["main", "non free"],
        packages: ["-o=x", "a;b", "cri-tools"],
        signed_by: "/etc/apt/key.gpg",
        trusted: true,
      }).map((fault) => fault.slice(path.length)),
    ).toEqual([
      '.components[1]: "non free" must match ^[A-Za-z0-9][A-Za-z0-9._+/-]*$, as in main',
      '.packages[0]: "-o=x" must match ^[a-z0-9][a-z0-9.+-]*[a-z0-9.+]$, as in cri-tools',
      '.packages[1]: "a;b" must match ^[a-z0-9][a-z0-9.+-]*[a-z0-9.+]$, as in cri-tools',
      '.signed_by: "/etc/apt/key.gpg" is not a public OpenPGP key; write armored text, or its binary form in base64',
      '.suite: "bookworm\\nTrusted: yes" must match ^[A-Za-z0-9._~+/-]+$, as in bookworm or /',
      ".trusted: unknown setting; allowed: url, suite, components, signed_by, packages",
      ".suite: has the control character U+000A; write plain text on one line",
    ]);
  });
});
