/** Memory that clients of HTTP keep of answers without end. */
import { download } from "../../../components/gather/download";
import { KubeApi } from "../../../components/kube/client/kube-api";
import { OpenStack } from "../../../components/openstack/session";
import { OddServer } from "../../support/odd-server";

let address: string;

const HEAD = "HTTP/1.1 200 OK\r\n";
const token = {
  catalog: [{ type: "compute", endpoints: [{ interface: "public", region: "One", url: "$URL" }] }],
};
const TOKEN = {
  bytes: `HTTP/1.1 201 Created\r\nx-subject-token: t\r\nconnection: close\r\n\r\n${JSON.stringify({ token })}`,
  end: "close",
} as const;

const CLIENTS = [
  [
    "a Kubernetes API",
    [],
    () => new KubeApi({ cluster: { server: address }, user: { token: "t" } }).get("/version"),
    () => `the Kubernetes API at ${address.slice(7)} cannot be reached: the response is larger than 16 MiB`,
  ],
  [
    "a cloud",
    [TOKEN],
    async () => {
      const access = { auth_url: address, user_id: "u", password: "p", source: "the cloud" };
      return (await OpenStack.connect(access)).get("compute", "/servers");
    },
    () => `${address}/servers answers with more than 16 MiB`,
  ],
  [
    "Keystone",
    [],
    () => OpenStack.connect({ auth_url: address, user_id: "u", password: "p", source: "the cloud" }),
    () => `${address}/v3/auth/tokens answers with more than 16 MiB`,
  ],
  [
    "a repository of charts",
    [],
    () => download(new URL(`${address}/index.yaml`), 1 << 24),
    () => `${address}/index.yaml has more than 16777216 bytes`,
  ],
] as const;

describe.each(CLIENTS)("an answer of %s", (_, before, call, message) => {
  it.each([
    ["in one piece", `${HEAD}\r\n`, "x".repeat(60_000)],
    ["in chunks", `${HEAD}transfer-encoding: chunked\r\n\r\n`, "1000\r\n" + "x".repeat(4096) + "\r\n"],
  ])("is given up if it does not end, %s", async (__, head, bytes) => {
    const server = await OddServer.start([...before, { head, bytes, end: "endless" }]);
    address = server.url;
    const memory = process.memoryUsage().rss;
    await expect(call()).rejects.toThrow(message());
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 << 20);
    await server.stop();
  });
});
