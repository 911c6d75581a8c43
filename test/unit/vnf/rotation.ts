import { clusterVnf } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { recordedScript } from "../../support/script-steps";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { vnfOutputs } from "../../../components/deploy/outputs";
import { makeVnfs } from "../../../components/deploy/instance";
import { loadPackage } from "../../support/packages";
import { clusterOutputs } from "./outputs";

const KEYS =
  "ssh-ed25519 NEW vnfm-1\n-----BEGIN\nnew\n-----END\nssh-ed25519 OLD\n-----BEGIN\nold\n-----END\n";

let recorded: RecordedResource[];
let shown: Promise<unknown>;

const ROTATE = { ssh_key: "1", service_account: "1", certificates: "1" };

const inputs = (name: string) => recorded.find((resource) => resource.name === `vnf-a-${name}`)?.inputs ?? {};
const revealed = (value: unknown): unknown => (value as { value?: unknown } | undefined)?.value;
const script = (name: string) => recordedScript(recorded, `vnf-a-${name}`);
const named = (suffix: string) =>
  recorded
    .map(({ name }) => name)
    .filter((name) => name.endsWith(suffix))
    .sort();

describe("a rotation of the secrets of a cluster", () => {
  beforeAll(async () => {
    recorded = recordResources((resource) => clusterOutputs(resource, { keys: KEYS }));
    const vnf = clusterVnf(2, {
      worker_node: { ssh_cp_name: "workerNode_CP2", password: "hunter2" },
    });
    const settings = parseSettings({ "vnf-a": { ...vnf, rotate: ROTATE, heal: { all: "1" } } }).settings;
    const made = makeVnfs(planStack(settings, { loadPackage, readProjectFile: () => undefined }));
    const { certificates } = vnfOutputs(made)["vnf-a"] ?? {};
    shown = new Promise((resolve) => certificates?.apply(resolve));
    await settle();
  });

  /** A login with the instance's new or old key, whichever the server accepts. */
  const LOGIN = { user: "debian", keys: ["-----BEGIN\nnew\n-----END\n", "-----BEGIN\nold\n-----END\n"] };

  it("asks the cluster that is there with whichever key it takes, before it is made anew", () => {
    const { masters } = JSON.parse(String(revealed(inputs("evacuation")["stdin"]))) as { masters: object[] };
    expect(masters).toEqual([
      {
        hosts: [{ host: expect.stringMatching(/^10\./) as unknown, hostKey: "ssh-ed25519 NEW vnfm-1" }],
        ...{ login: LOGIN, onMaster: true, tries: 1, seconds: 1500 },
      },
    ]);
    expect(inputs("whole")).toEqual({ triggers: ["1"] });
  });

  it("puts the present key in the place of the former ones on every server, over its own login", () => {
    expect(named("-former-keys")).toEqual(
      ["masterNode-1", "workerNode-1", "workerNode-2"].map((key) => `vnf-a-${key}-former-keys`),
    );
    expect(script("masterNode-1-former-keys").reach.login).toEqual(LOGIN);
    expect(script("masterNode-1-former-keys").data).toContain("login_user='debian'\n");
    expect(script("workerNode-1-former-keys").reach.login).toEqual({ user: "debian", password: "hunter2" });
    expect(script("workerNode-1-former-keys").data).toBe(
      "public_key='ssh-ed25519 NEW vnfm-1'\nformer='ssh-ed25519 OLD'\nlogin_user=''\n",
    );
  });

  it("gives new servers the present key", () => {
    const servers = recorded.filter(({ type }) => type === "openstack:compute/instance:Instance");
    const keys = servers.map(
      ({ inputs }) => /^ssh_authorized_keys:\n {2}- (.*)$/m.exec(String(revealed(inputs["userData"])))?.[1],
    );
    expect(keys).toEqual(servers.map(() => "ssh-ed25519 NEW vnfm-1"));
    expect(servers.length).toBeGreaterThan(1);
  });

  it("shows when the certificates of masters end", async () => {
    expect(await shown).toEqual({
      expiresAt: "2027-01-31T00:00:00Z",
      caExpiresAt: "2036-01-29T00:00:00Z",
    });
  });

  it("renews the certificates of masters, and the service account of the cluster", () => {
    expect(named("-certificates")).toEqual(["vnf-a-masterNode-1-certificates"]);
    expect(script("masterNode-1-certificates").data).toBe("node_name='vnf-a-masternode-1'\nrotation='1'\n");
    expect(script("masterNode-1-service-account").data).toContain("\nrotation='1'\n");
  });
});
