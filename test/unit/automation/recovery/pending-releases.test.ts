/** What becomes of a Helm release whose upgrade was cut off, on a server that answers as an API would. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { stringify } from "yaml";
import { freeReleases, isRelease } from "../../../../automation/recovery/pending-releases";
import { StackState } from "../../../../automation/stack/stack-state";
import type { ResourceState } from "../../../../automation/stack/state";

let server: Server;
let asked: string[];

beforeEach((done) => {
  asked = [];
  server = createServer(({ method = "", url = "" }, response) => {
    asked.push(`${method} ${decodeURIComponent(url)}`);
    const metadata = { name: "sh.helm.release.v1.web.v5", uid: "u5", labels: { version: "5" } };
    response.end(JSON.stringify(url.includes("?") ? { items: [{ metadata }] } : {}));
  }).listen(0, "127.0.0.1", done);
});

afterEach((done) => void server.close(done));

const PROVIDER = "urn:pulumi:s::vnfm::pulumi:providers:kubernetes::vnf-a-cluster";

function stateOf(): { state: StackState; release: ResourceState } {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kubeconfig = stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: url } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
  const provider = {
    urn: PROVIDER,
    type: "pulumi:providers:kubernetes",
    custom: true,
    inputs: { kubeconfig },
  };
  const release = {
    urn: "urn:pulumi:s::vnfm::kubernetes:helm.sh/v3:Release::web-helm-site/web",
    type: "kubernetes:helm.sh/v3:Release",
    custom: true,
    provider: `${PROVIDER}::id`,
    inputs: { name: "web", namespace: "site" },
  };
  const resources = [provider, release] as unknown as ResourceState[];
  const state = new StackState({ deployment: { resources } });
  return { state, release: release };
}

it("the revision that was cut off is taken out of the history, and no other", async () => {
  const { state, release } = stateOf();
  expect(await freeReleases(state, state.resources.filter(isRelease))).toEqual([
    "web-helm-site/web: Helm's revision 5 was interrupted; it is removed from the history",
  ]);
  expect(isRelease(release)).toBe(true);
  const secrets = "/api/v1/namespaces/site/secrets";
  expect(asked).toEqual([
    `GET ${secrets}?labelSelector=owner=helm,name=web,status in (pending-install,pending-upgrade,pending-rollback)`,
    `DELETE ${secrets}/sh.helm.release.v1.web.v5`,
  ]);
});

it("a cluster that does not answer is told", async () => {
  const { state, release } = stateOf();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  expect(await freeReleases(state, [release])).toEqual([
    expect.stringContaining(
      "web-helm-site/web: vnfm cannot query whether Helm was interrupted: the Kubernetes API at",
    ),
  ]);
  server = createServer().listen(0);
});
