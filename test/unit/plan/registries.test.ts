/** Registries as nodes of both kinds of clusters have them. */
import type { Registry } from "../../../components/plan/nodes/model";
import { planNodes } from "../../../components/plan/nodes/features";
import { Secret } from "../../../components/base/secret";
import { placeOf } from "../places";

const registry = (changes: Partial<Registry>): Registry => ({
  ...{ name: "registry.example:5000", scheme: undefined, mirrors: undefined },
  ...{ ca: undefined, login: undefined, hostsLine: undefined },
  ...changes,
});
const scheme = (value: "http" | "https") => ({ value, place: placeOf("scheme") });
const mirrors = (...value: string[]) => ({ value, place: placeOf("mirrors") });
const login = { username: "puller", password: new Secret('pa:ss"word') };
const planned = (...registries: readonly Registry[]) => planNodes({ registries });

it("a cluster without registries has no parts", () => {
  expect(planned()).toEqual({ files: [], secretFiles: [], hostsLines: [], warnings: [] });
});

it("containerd learns how to reach each registry, and the kubelet who logs in", () => {
  const { files, secretFiles } = planned(
    registry({ login, scheme: scheme("https"), ca: "the CA" }),
    registry({ name: "10.0.0.9", scheme: scheme("http") }),
  );
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
  ]);
  expect(secretFiles.map(({ content, ...file }) => ({ ...file, content: content.reveal() }))).toEqual([
    {
      path: "/.docker/config.json",
      permissions: "0600",
      content: `{"auths":{"registry.example:5000":{"auth":"${btoa('puller:pa:ss"word')}"}}}\n`,
      identity: [["registry.example:5000", "puller"]],
    },
  ]);
});

it("a registry with a login alone has no file for containerd", () => {
  const { files, secretFiles } = planned(registry({ login }));
  expect([files.length, secretFiles.length]).toEqual([0, 1]);
});

it("Docker Hub is asked at the host that serves it, and its login has the name that images have", () => {
  const { files, secretFiles } = planned(registry({ name: "docker.io", scheme: scheme("https"), login }));
  expect(files).toEqual([
    {
      path: "/etc/containerd/certs.d/docker.io/hosts.toml",
      permissions: "0644",
      content: 'server = "https://registry-1.docker.io"\n\n[host."https://registry-1.docker.io"]\n',
    },
  ]);
  expect(secretFiles[0]?.content.reveal()).toBe(
    `{"auths":{"docker.io":{"auth":"${btoa('puller:pa:ss"word')}"}}}\n`,
  );
});

it("lines of /etc/hosts are in the order of the registries", () => {
  const lines = ["10.0.0.9 registry.example", "10.0.0.8 other.example"];
  expect(planned(...lines.map((hostsLine) => registry({ hostsLine }))).hostsLines).toEqual(lines);
});

it("a login over HTTP is warned of, at the registry itself and at a mirror, which gets it too", () => {
  const { warnings } = planned(
    registry({ scheme: scheme("http"), mirrors: mirrors("http://mirror.example") }),
    registry({ scheme: scheme("https"), mirrors: mirrors("https://mirror.example"), login }),
    registry({ name: "other.example", scheme: scheme("http"), login }),
    registry({ mirrors: mirrors("https://a.example", "http://b.example/path"), login }),
  );
  const text = "over the network in plain; use HTTPS";
  expect(warnings).toEqual([
    `scheme: each node sends the password of puller to http://other.example ${text}`,
    `mirrors: each node sends the password of puller to http://b.example ${text}`,
  ]);
});
