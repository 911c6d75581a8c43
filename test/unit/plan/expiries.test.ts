import { planOf } from "../../support/planned";
import { execFileSync } from "node:child_process";
import { textOf } from "../../../components/base/findings";
import { expiries } from "../../../components/plan/expiries";
import { loadPackage } from "../../../components/vnfd/package";
import { clusterVnf, webCnf } from "../../support/configs";
import { ENDING_KEY, kubeconfig } from "../fixtures";
import { plannedCluster } from "./planned-cluster";

const END = Date.parse("2027-01-31T00:00:00Z");
const DAY = 86_400_000;

const told = (...args: Parameters<typeof expiries>) =>
  expiries(...args).map(({ finding, isFault }) => [isFault, textOf(finding)]);
const planned = (vnfs: Readonly<Record<string, unknown>>) =>
  planOf(vnfs, { loadPackage, readProjectFile: () => "" });

describe("the end of a credential", () => {
  const { plans } = plannedCluster({ credential: { expiresAt: "2027-01-31T00:00:00Z" } });
  const text = (when: string) =>
    `vnfm:vnfs.tenant.credential.expiresAt: 2027-01-31T00:00:00Z ${when}, and the cluster's controllers then lose access to the cloud; set a later time, which creates another credential`;

  test.each([
    [END - 30 * DAY - 1, undefined],
    [END - 30 * DAY, "ends in 30 days"],
    [END - 2.5 * DAY, "ends in 2 days"],
    [END - 1000, "ends within a day"],
  ])("is a warning 30 days before", (now, when) => {
    expect(told(plans, {}, now)).toEqual(when === undefined ? [] : [[false, text(when)]]);
  });

  test("is a fault once it is over, as Keystone would make none", () => {
    expect(told(plans, {}, END + 1000)).toEqual([[true, text("has ended")]]);
  });

  test("is never told where there is none", () => {
    expect(told(plannedCluster().plans, {}, END + 1000)).toEqual([]);
  });
});

describe("the end of certificates that the last run has shown", () => {
  const plans = planned({ "vnf-a": clusterVnf(1) });
  const later = "2036-01-01T00:00:00Z";
  const former = (certificates: { readonly expiresAt: string; readonly caExpiresAt: string }) => ({
    "vnf-a": { certificates },
    // no longer in the stack config
    old: { certificates },
  });

  test("is a warning 30 days before, with what renews them", () => {
    const ends = former({ expiresAt: "2027-01-31T00:00:00Z", caExpiresAt: later });
    expect(told(plans, ends, END - 31 * DAY)).toEqual([]);
    expect(told(plans, ends, END - 20 * DAY)).toEqual([
      [
        false,
        "vnfm:vnfs.vnf-a: kubeadm's certificates: 2027-01-31T00:00:00Z ends in 20 days, and the Kubernetes API then stops working; 'vnfm rotate vnf-a certificates' renews them",
      ],
    ]);
  });

  test("is a warning once they are over too, as a rotation is a run", () => {
    expect(told(plans, former({ expiresAt: "2027-01-31T00:00:00Z", caExpiresAt: later }), END + 1)).toEqual([
      [
        false,
        "vnfm:vnfs.vnf-a: kubeadm's certificates: 2027-01-31T00:00:00Z has ended, and the Kubernetes API then stops working; run 'kubeadm certs renew all' on each control-plane node and restart its control plane, then 'vnfm rotate vnf-a certificates'",
      ],
    ]);
  });

  test("does not move with a rotation if it is that of a CA", () => {
    expect(told(plans, former({ expiresAt: later, caExpiresAt: "2027-01-31T00:00:00Z" }), END - DAY)).toEqual(
      [
        [
          false,
          "vnfm:vnfs.vnf-a: the CA: 2027-01-31T00:00:00Z ends in 1 day, and all access to the cluster then ends; no rotation renews a CA, so re-create the cluster ('vnfm heal vnf-a all'), or create another one",
        ],
      ],
    );
  });
});

test("a kubeconfig of the settings ends with its client certificate, and then no run can succeed", () => {
  const made = execFileSync(
    "openssl",
    "req -x509 -newkey ed25519 -noenc -keyout /dev/null -subj /CN=tenant -days 20".split(" "),
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const text = kubeconfig("foreign").replace(
    /token: .*/,
    `client-certificate-data: ${made.toString("base64")}\n      client-key-data: a2V5`,
  );
  const plans = planned({ web: webCnf("web", { vim: { kubeconfig: text } }) });
  const now = Date.now();
  const said = (when: string) =>
    expect.stringMatching(
      new RegExp(
        `^vnfm:vnfs\\.web\\.vim\\.kubeconfig: 20\\S+Z ${when}, and all access to the cluster then ends; use one with a later end$`,
      ),
    ) as unknown;
  expect(told(plans, {}, now)).toEqual([[false, said("ends in (19|20) days")]]);
  expect(told(plans, {}, now - 20 * DAY)).toEqual([]);
  expect(told(plans, {}, now + 21 * DAY)).toEqual([[true, said("has ended")]]);
});

test("a key of an apt repository that ends is a warning, as nodes that are there have their packages", () => {
  const plans = planned({
    "vnf-a": clusterVnf(1, {
      kubernetes_version: "v1.33.0",
      apt_repository: { suite: "/", signed_by: ENDING_KEY },
    }),
  });
  const text = (when: string) =>
    `vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.apt_repository.signed_by: 2026-03-01T00:00:00Z ${when}, and new nodes then cannot install packages; set the repository's current key, which is copied to all nodes`;
  const end = Date.parse("2026-03-01T00:00:00Z");
  expect(told(plans, {}, end - 31 * DAY)).toEqual([]);
  expect(told(plans, {}, end - 10 * DAY)).toEqual([[false, text("ends in 10 days")]]);
  expect(told(plans, {}, end + 1)).toEqual([[false, text("has ended")]]);
});
