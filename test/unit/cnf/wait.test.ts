/** The wait for an object whose time passes as fast as it sleeps. */
import { awaitReady } from "../../../components/kube/client/wait";
import { standIn } from "../../support/stand-in";

let passed = 0;
jest.mock("node:timers/promises", () => ({
  setTimeout: (milliseconds: number) => {
    passed += milliseconds;
    return Promise.resolve();
  },
}));

const PATH = "/api/v1/namespaces/web/pods/web";
let waiting: object;
let told: string[];

beforeAll(() => {
  const { now } = Date;
  jest.spyOn(Date, "now").mockImplementation(() => now() + passed);
  jest.spyOn(process.stderr, "write").mockImplementation((text) => told.push(String(text)) > 0);
});
const api = standIn((request, response) => {
  const metadata = { name: "web", namespace: "web", uid: "p", creationTimestamp: new Date().toISOString() };
  const status = { phase: "Pending", containerStatuses: [{ name: "c", state: { waiting } }] };
  const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: {}, status };
  response.end(JSON.stringify(request.url === PATH ? pod : { items: [] }));
});
afterAll(() => jest.restoreAllMocks());
beforeEach(() => {
  passed = 0;
  told = [];
});

const wait = () => {
  const access = { cluster: { server: api.url }, user: { token: "t" } };
  return awaitReady({ access, path: PATH, name: "Pod web/web", until: "ready", seconds: 600 } as never);
};

it("the wait ends with the reason where a container cannot start, and tells it once", async () => {
  waiting = { reason: "ErrImagePull", message: "web:absent: not found" };
  await expect(wait()).rejects.toThrow(
    /^Pod web\/web is not ready after [78]\d s, and cannot be as it is: .*\nPod web, container c: ErrImagePull: web:absent: not found$/,
  );
  expect(told).toEqual(["Pod web, container c: ErrImagePull: web:absent: not found\n"]);
});

it("the wait goes on to its time where the error may pass, and tells of it once whatever its port is", async () => {
  let port = 40_000;
  waiting = {
    reason: "ErrImagePull",
    get message() {
      return `dial tcp 10.0.0.1:${port++}->192.0.2.1:443: i/o timeout`;
    },
  };
  await expect(wait()).rejects.toThrow(/^Pod web\/web is not ready after 600 s: /);
  expect(told).toHaveLength(1);
});
