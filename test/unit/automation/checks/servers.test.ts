import { describeFinding } from "../../../../automation/checks/check-words";
import { lostServers, madeServers } from "../../../../automation/checks/servers";
import { StackState } from "../../../../automation/stack/stack-state";
import type { State } from "../../../../automation/stack/state";
import { SERVER } from "../../../../automation/stack/steps";
import { Fault } from "../../../../components/base/fault";
import { urn, vnf, vnfc } from "../steps";

/** A cluster of a master and two workers; the last one's server is of a provider of the program. */
const STATE: State = {
  deployment: {
    resources: [
      ...vnf(),
      ...vnfc("same", "masterNode-1", "master"),
      ...vnfc("same", "workerNode-1", "member"),
      ...vnfc("same", "workerNode-2", "member"),
    ].map(({ urn: its, type, parent, custom }) => {
      const other = its.endsWith("workerNode-2-server");
      const provider = `urn:pulumi:t::vnfm::pulumi:providers:openstack::${other ? "mine" : "default_5_5_1"}::id`;
      return {
        urn: its,
        type,
        parent,
        custom,
        ...(type === SERVER && { id: `id of ${its.split("::")[3]}`, provider }),
      };
    }),
  },
};
const MASTER = "id of vnf-a-masterNode-1-server";
const WORKER = "id of vnf-a-workerNode-1-server";

const said = async (...servers: object[]) => {
  const get = <T>(_: string, path: string) =>
    Promise.resolve((path === "/servers/detail" ? { servers } : undefined) as T | undefined);
  return (await lostServers(madeServers(new StackState(STATE)), () => Promise.resolve({ get }))).map(
    describeFinding,
  );
};

it("are those of the stack's cloud, with the VNFC that each is", () => {
  expect(madeServers(new StackState(STATE))).toEqual([
    { urn: urn(SERVER, "vnf-a-masterNode-1-server"), vnf: "vnf-a", vnfc: "masterNode-1", id: MASTER },
    { urn: urn(SERVER, "vnf-a-workerNode-1-server"), vnf: "vnf-a", vnfc: "workerNode-1", id: WORKER },
  ]);
  expect(madeServers(new StackState(STATE), "vnf-b")).toEqual([]);
  const named = { urn: urn("pulumi:providers:openstack", "mine"), type: "pulumi:providers:openstack" };
  const resources = [
    ...(STATE.deployment.resources ?? []),
    { ...named, custom: true, inputs: { cloud: "edge" } },
  ];
  expect(madeServers(new StackState({ deployment: { resources } })).at(-1)).toEqual({
    ...{ urn: urn(SERVER, "vnf-a-workerNode-2-server"), vnf: "vnf-a", vnfc: "workerNode-2" },
    ...{ id: "id of vnf-a-workerNode-2-server", cloud: { cloud: "edge" } },
  });
});

it("are told of where Nova does not have them, or they do not run", async () => {
  expect(await said({ id: MASTER, status: "ACTIVE" }, { id: WORKER, status: "VERIFY_RESIZE" })).toEqual([]);
  expect(await said({ id: MASTER, status: "SHUTOFF" }, { id: "another", status: "ACTIVE" })).toEqual([
    `vnf-a: masterNode-1: the server ${MASTER} is SHUTOFF: start it, or heal it`,
    `vnf-a: workerNode-1: the server ${WORKER} no longer exists: run 'vnfm heal vnf-a workerNode-1'`,
  ]);
  expect(await said({ id: MASTER, status: "ACTIVE" }, { id: WORKER, status: "SOFT_DELETED" })).toEqual([
    `vnf-a: workerNode-1: the server ${WORKER} no longer exists: run 'vnfm heal vnf-a workerNode-1'`,
  ]);
});

it("are looked for in the cloud of each, and one that does not answer hides no other", async () => {
  const server = (vnfc: string, cloud?: string) => ({
    ...{ urn: urn(SERVER, vnfc), vnf: "vnf-a", vnfc, id: `id of ${vnfc}` },
    ...(cloud !== undefined && { cloud: { cloud } }),
  });
  const servers = [server("one"), server("two", "edge"), server("three", "silent")];
  const connectTo = ({ cloud }: { readonly cloud?: string } = {}) =>
    cloud === "silent"
      ? Promise.reject(new Fault("away"))
      : Promise.resolve({
          get: <T>() =>
            Promise.resolve({ servers: [{ id: "id of one", status: cloud ?? "ACTIVE" }] } as T | undefined),
        });
  expect((await lostServers(servers, connectTo)).map(describeFinding)).toEqual([
    "vnf-a: two: the server id of two no longer exists: run 'vnfm heal vnf-a two'",
  ]);
});

it("are not told of where the cloud does not answer, and it is not asked for none", async () => {
  const away = jest.fn(() => Promise.reject(new Fault("away")));
  expect(await lostServers(madeServers(new StackState(STATE)), away)).toEqual([]);
  expect(await lostServers([], away)).toEqual([]);
  expect(away).toHaveBeenCalledTimes(1);
});
