/** What is said of servers that are in ERROR, and of those that Nova could not make. */
import { planOf } from "../../support/planned";
import { serversInError, whyNotMade } from "../../../components/preflight/server-errors";
import { flavour, vdu, vnfPackage } from "../fixtures";
import { stubCloud } from "./stub-cloud";
import type { Connect } from "../../../components/preflight/cloud";

const ID = "0b2a6a6e-6d0e-4d3b-9f7b-0c1f3f2f9d11";
const OTHER = "5f0c6a6e-6d0e-4d3b-9f7b-0c1f3f2f9d12";
const fault = { code: 500, message: "No valid host was found. There are not enough hosts available." };

const cloud = (answers: Readonly<Record<string, object>>) => stubCloud((path) => answers[path]);

describe("a server in ERROR", () => {
  const loadPackage = () =>
    vnfPackage("p", { simple: flavour({ vdus: { a: vdu("a", { initialInstances: 2 }) } }) });
  const plans = planOf({ "vnf-a": { package: "p" } }, { loadPackage });
  const withStatus = (status: string, ...servers: object[]) =>
    serversInError(
      plans,
      cloud({
        "/servers/detail?name=%5Evnf-a": { servers: servers.map((server) => ({ ...server, status })) },
      }),
    );
  const inError = (...servers: object[]) => withStatus("ERROR", ...servers);

  it("is told with the VNFC that it is, and the reason that Nova gives", async () => {
    expect(
      await inError(
        { id: ID, name: "vnf-a-a-2", metadata: { "vnfm-owner": "site-1-5f0c2a9e/vnf-a" }, fault },
        { id: OTHER, name: "vnf-a-a-1", metadata: { "vnfm-owner": "site-1-5f0c2a9e/vnf-a" } },
      ),
    ).toEqual([
      `vnfm:vnfs.vnf-a: a-1: server ${OTHER} is in ERROR: Nova gives no reason`,
      `vnfm:vnfs.vnf-a: a-2: server ${ID} is in ERROR: ${fault.message} (500)`,
    ]);
  });

  it("is not reported with another status", async () => {
    expect(
      await withStatus("ACTIVE", {
        id: ID,
        name: "vnf-a-a-2",
        metadata: { "vnfm-owner": "site-1-5f0c2a9e/vnf-a" },
      }),
    ).toEqual([]);
  });

  it("is not told where it is another's", async () => {
    expect(
      await inError(
        { id: ID, name: "vnf-a-a-1", metadata: { "vnfm-owner": "site-1-5f0c2a9e/vnf-b" }, fault },
        { id: ID, name: "vnf-a-a-1", metadata: {}, fault },
        { id: ID, name: "vnf-a-a-3", metadata: { "vnfm-owner": "site-1-5f0c2a9e/vnf-a" }, fault },
      ),
    ).toEqual([]);
  });
});

describe("of a run that failed", () => {
  const inError = (id: string) =>
    `vnf-a-a-1-server: * Error waiting for instance (${id}) to become ready: unexpected state 'ERROR', wanted target ` +
    "'ACTIVE'. last error: %!s(<nil>)";
  const answers = cloud({
    [`/servers/${ID}`]: { server: { fault } },
    [`/servers/${OTHER}`]: { server: {} },
  });

  const one =
    (...clouds: Connect[]) =>
    () =>
      Promise.resolve(clouds);

  it("the reason of each server that Nova could not make is told once", async () => {
    const text = [inError(ID), inError(ID), inError(OTHER)].join("\n");
    expect(
      await whyNotMade(
        text,
        one(() => Promise.resolve(answers)),
      ),
    ).toEqual([
      `server ${ID}: ${fault.message} (500); the next update re-creates it`,
      `server ${OTHER}: Nova gives no reason; the next update re-creates it`,
    ]);
  });

  it("is that of the cloud that has the server, also if another one does not answer", async () => {
    const text = inError(ID);
    const told = [`server ${ID}: ${fault.message} (500); the next update re-creates it`];
    const others = [() => Promise.resolve(cloud({})), () => Promise.reject(new Error("away"))];
    for (const other of others)
      expect(
        await whyNotMade(
          text,
          one(other, () => Promise.resolve(answers)),
        ),
      ).toEqual(told);
  });

  it("is told why it is not known", async () => {
    const refuse = () => Promise.reject(new Error("Keystone rejects the user of OS_CLOUD (401)"));
    expect(await whyNotMade(inError(ID), one(refuse))).toEqual([
      `why Nova could not create ${ID} is not known: Keystone rejects the user of OS_CLOUD (401)`,
    ]);
  });

  it.each([
    "Error creating OpenStack server: ... Quota exceeded for cores: Requested 2, but already used 20 of 20 cores",
    `Error waiting for instance (${ID}) to become ready: timeout while waiting for state to become 'ACTIVE'`,
  ])("nothing is added to what has its reason: %s", async (text) => {
    expect(await whyNotMade(text, () => Promise.reject(new Error("is not asked")))).toEqual([]);
  });
});
