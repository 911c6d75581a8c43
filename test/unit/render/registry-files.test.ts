import { registryData, registryFiles } from "../../../components/render/registry-files";
import type { PrivateRegistry } from "../../../components/plan/kubeadm/model";
import { Secret } from "../../../components/base/secret";

const registry = (changes: Partial<PrivateRegistry>): PrivateRegistry => ({
  server: "registry.example:5000",
  protocol: "https",
  login: undefined,
  certificate: undefined,
  hostsLine: undefined,
  ...changes,
});

it("makes nothing of nothing", () => {
  expect(registryData([])).toEqual({ registry_files: "", registry_names: "" });
});

it("tells containerd how to reach each registry, and the kubelet who logs in", () => {
  const login = { username: "puller", password: new Secret('pa:ss"word') };
  const files = registryFiles([
    registry({ login, certificate: "the CA" }),
    registry({ server: "10.0.0.9", protocol: "http" }),
  ]);
  expect(files).toEqual([
    { path: "/etc/containerd/certs.d/registry.example:5000/ca.crt", permissions: "0644", content: "the CA" },
    {
      path: "/etc/containerd/certs.d/registry.example:5000/hosts.toml",
      permissions: "0644",
      content: [
        'server = "https://registry.example:5000"',
        'ca = "/etc/containerd/certs.d/registry.example:5000/ca.crt"',
        "",
        '[host."https://registry.example:5000"]',
        'ca = "/etc/containerd/certs.d/registry.example:5000/ca.crt"',
        "",
      ].join("\n"),
    },
    {
      path: "/etc/containerd/certs.d/10.0.0.9/hosts.toml",
      permissions: "0644",
      content: 'server = "http://10.0.0.9"\n\n[host."http://10.0.0.9"]\n',
    },
    {
      path: "/.docker/config.json",
      permissions: "0600",
      content: `{"auths":{"registry.example:5000":{"auth":"${btoa('puller:pa:ss"word')}"}}}\n`,
    },
  ]);
});

it("gives a file and a name a line each", () => {
  const hostsLine = "10.0.0.9 registry.example";
  expect(registryData([registry({ hostsLine }), registry({ server: "b" })])).toEqual({
    registry_files: expect.stringMatching(/^(0644 \S+ [\w+/=]+\n?){2}$/) as string,
    registry_names: hostsLine,
  });
});

it("asks Docker Hub at the host that serves it, and gives kubelets its login by the name that images have", () => {
  const login = { username: "puller", password: new Secret("hidden") };
  const [hosts, logins] = registryFiles([registry({ server: "docker.io", login })]);
  expect(hosts).toEqual({
    path: "/etc/containerd/certs.d/docker.io/hosts.toml",
    permissions: "0644",
    content: 'server = "https://registry-1.docker.io"\n\n[host."https://registry-1.docker.io"]\n',
  });
  expect(logins?.content).toBe(`{"auths":{"docker.io":{"auth":"${btoa("puller:hidden")}"}}}\n`);
});
