/** Exchange of the ports of a running server: their order, and ports that stay. */
import { Fault } from "../../../components/base/fault";
import { exchangePorts, type ServerPorts } from "../../../components/openstack/port-exchange";

const SERVER = "s1";
const INTERFACES = `/servers/${SERVER}/os-interface`;

/** Returns a cloud whose server has these ports, by id, and a list of the changes that are requested. */
function cloudOf(attached: Readonly<Record<string, string>>, rejected: readonly string[] = []) {
  const ports = new Map(Object.entries(attached));
  const requests: string[] = [];
  const cloud = {
    get: <T>(_: string, path: string) => {
      const all = [...ports].map(([id, name]) => ({ id, name }));
      const isThere = ports.has(path.slice(INTERFACES.length + 1));
      const answer = path === `/v2.0/ports?device_id=${SERVER}` ? { ports: all } : isThere ? {} : undefined;
      return Promise.resolve(answer as T | undefined);
    },
    post: (_: string, path: string, body: object) => {
      const id = (body as { interfaceAttachment: { port_id: string } }).interfaceAttachment.port_id;
      if (rejected.includes(id)) return Promise.reject(new Fault(`POST ${path} answers 400`));
      requests.push(`attach ${id}`);
      ports.set(id, "vnf-a-node-1-cp");
      return Promise.resolve(id !== "gone");
    },
    delete: (_: string, path: string) => {
      const id = path.slice(INTERFACES.length + 1);
      requests.push(`detach ${id}`);
      ports.delete(id);
      return Promise.resolve();
    },
  };
  return { cloud, requests };
}

const wanted = (...ports: string[]): ServerPorts => ({ serverId: SERVER, owner: "vnf-a-node-1", ports });

it("attaches the ports that a server lacks in their order, and then detaches those that its VNFC no longer has", async () => {
  const { cloud, requests } = cloudOf({ a: "vnf-a-node-1-cp-1", b: "vnf-a-node-1-cp2-1" });
  await exchangePorts(cloud, wanted("c", "a", "d"));
  expect(requests).toEqual(["attach c", "attach d", "detach b"]);
});

it("changes nothing of a server that has its ports", async () => {
  const { cloud, requests } = cloudOf({ b: "vnf-a-node-1-cp2-1", a: "vnf-a-node-1-cp-1" });
  await exchangePorts(cloud, wanted("a", "b"));
  expect(requests).toEqual([]);
});

it("leaves the ports of others at the server", async () => {
  const { cloud, requests } = cloudOf({ x: "by-hand", y: "vnf-a-node-10-cp-1", z: "" });
  await exchangePorts(cloud, wanted("a"));
  expect(requests).toEqual(["attach a"]);
});

it("detaches nothing where Nova rejects a port", async () => {
  const { cloud, requests } = cloudOf({ a: "vnf-a-node-1-cp-1" }, ["b"]);
  await expect(exchangePorts(cloud, wanted("b"))).rejects.toThrow(
    new Fault(`POST ${INTERFACES} answers 400`),
  );
  expect(requests).toEqual([]);
});

it("says that the server or the port is gone", async () => {
  const { cloud } = cloudOf({});
  await expect(exchangePorts(cloud, wanted("gone"))).rejects.toThrow(
    new Fault("Nova has no server s1, or Neutron no port gone"),
  );
});
