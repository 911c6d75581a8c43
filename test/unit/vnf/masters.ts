import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { makeVnfs } from "../../../components/vnf";
import { loadPackage } from "../../../components/vnfd/package";
import { haClusterVnf } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";

let recorded: RecordedResource[];

const record = () =>
  recordResources(({ type, name }) => {
    if (type === "openstack:networking/port:Port")
      return { allFixedIps: [`10.0.0.${/\d+/.exec(name)?.[0]}`] };
    if (type === "openstack:compute/instance:Instance") return { availabilityZone: "nova" };
    if (name.endsWith("-access"))
      return { stdout: "ca=Y2E=\nssl_ca_cert_hash=sha256:ab\ncertificate_key=cd\n" };
    if (name.endsWith("-key")) return { stdout: "ssh-ed25519 AAAA\n-----BEGIN\n" };
    return type.startsWith("command:") ? { stdout: "abcdef.0123456789abcdef\n" } : {};
  });

const secret = (value: unknown): unknown => (value as { value?: unknown } | undefined)?.value;

describe("a cluster of five masters", () => {
  beforeAll(async () => {
    recorded = record();
    const { settings } = parseSettings({ "vnf-a": haClusterVnf(5, 1) });
    makeVnfs(planStack(settings, { loadPackage, readProjectFile: () => undefined }));
    await settle();
  });

  const onAny = () =>
    recorded.filter(
      ({ type, inputs }) =>
        type === "command:local:Command" && String(secret(inputs["stdin"])).includes("\nremote_command="),
    );

  it("runs what is about the cluster on any of them, and what is about a node there", () => {
    const names = onAny().map(({ name }) => name.replace(/^vnf-a-(master|worker)Node-/, "$1-"));
    const member = ["join-token", "labels", "member"];
    expect(names.sort()).toEqual(
      [
        ...["access", "cni", "service-account"].map((step) => `master-1-${step}`),
        ...["master-1", "master-2", "master-3", "master-4", "master-5", "worker-1"].flatMap((node) =>
          member.map((step) => `${node}-${step}`),
        ),
      ].sort(),
    );
    const elsewhere = recorded.filter(({ type }) => type === "command:remote:Command");
    expect(elsewhere.map(({ name }) => name.replace(/.*-/, ""))).toEqual(
      expect.arrayContaining(["prepare", "init", "join", "hosts", "balancer"]),
    );
  });

  it("gives them the addresses of the first three, one host key and the login, as secrets", () => {
    for (const { inputs } of onAny()) {
      const [data = ""] = String(secret(inputs["stdin"])).split("remote_command=");
      expect(data).toContain("login_user='debian'\n");
      expect(data).toContain(
        "login_keys='-----BEGIN'\nhost_key='ssh-ed25519 AAAA'\nmasters='10.0.0.1 10.0.0.2 10.0.0.3'\n",
      );
      expect(inputs).toMatchObject({ create: "exec bash -s create", update: "exec bash -s update" });
    }
  });

  it("undoes a membership, and nothing else", () => {
    const undone = onAny().filter(({ inputs }) => inputs["delete"] !== undefined);
    expect(undone.every(({ name }) => name.endsWith("-member"))).toBe(true);
    expect(undone).toHaveLength(6);
  });
});
