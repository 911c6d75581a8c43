import { connectionTo } from "../../../../automation/stack/connection";
import { StackState } from "../../../../automation/stack/stack-state";
import type { State } from "../../../../automation/stack/state";
import { vnf, vnfc } from "../steps";

const login = { user: "debian", keys: ["key"] };
const to = (host: string) => ({ host, hostKey: "ssh-ed25519 A", login });

/** Two nodes, whose steps go to themselves but for the worker's token, which a master gives; and a plain server. */
const state: State = {
  deployment: {
    resources: [
      ...vnf(),
      ...vnf("plain"),
      ...vnfc("same", "masterNode-1", "master"),
      ...vnfc("same", "workerNode-1", "member"),
    ].map(({ urn, type, parent, custom, script }) => {
      const name = urn.split("::")[3] ?? "";
      const isOfWorker = name.startsWith("vnf-a-workerNode-1");
      const hosts = [{ host: isOfWorker ? "10.0.0.6" : "10.0.0.5", hostKey: "ssh-ed25519 A" }];
      const stdin = JSON.stringify({ reach: { hosts, login, tries: 60, seconds: 1500 }, data: {} });
      return {
        urn,
        type,
        parent,
        custom,
        ...(script !== undefined && { inputs: { environment: { VNFM_SCRIPT: `${script} 01` }, stdin } }),
      };
    }),
  },
};

it("the login goes to the VNFC's own server", () => {
  expect(connectionTo(new StackState(state), "vnf-a", "workerNode-1")).toEqual(to("10.0.0.6"));
  expect(connectionTo(new StackState(state), "vnf-a", "masterNode-1")).toEqual(to("10.0.0.5"));
});

it.each([
  ["vnf-b", "masterNode-1", 'the stack has not created an instance "vnf-b"; one of plain, vnf-a'],
  ["vnf-a", "workerNode-2", 'vnf-a has no VNFC "workerNode-2"'],
  ["plain", "masterNode-1", "plain is not a cluster"],
])("the login says that %s %s has no login", (name, key, message) => {
  expect(() => connectionTo(new StackState(state), name, key)).toThrow(message);
});
