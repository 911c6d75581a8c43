/** The servers of the stack whose state is lost, among those of a project. */
import { ownedServers } from "../../../../automation/rebuild/identity";

const server = (id: string, owner?: string) => ({
  ...{ id, name: "vnf-a-plain-1" },
  ...(owner !== undefined && { metadata: { "vnfm-owner": owner } }),
});

const owned = (servers: readonly object[], identity?: string) =>
  ownedServers(
    { get: <T>() => Promise.resolve({ servers } as T) },
    { instances: ["vnf-a"], stack: "site-1", identity },
  );

it("are those with the only identity, which begins with the name of the stack", async () => {
  const servers = [
    ...[server("1", "site-1-0123abcd/vnf-a"), server("2", "site-1-0123abcd/vnf-a")],
    ...[server("3", "other-0123abcd/vnf-b"), server("4")],
  ];
  expect(await owned(servers)).toEqual({ identity: "site-1-0123abcd", ids: ["1", "2"] });
});

it("are not certain if two identities match, or if the only one is of a stack with another name", async () => {
  const servers = [server("1", "site-1-0123abcd/vnf-a"), server("2", "site-2-0123abcd/vnf-a")];
  await expect(owned(servers)).rejects.toThrow(
    "it is not certain which servers belong to stack site-1; choose by --identity:\n" +
      "site-1-0123abcd: vnf-a-plain-1 1\nsite-2-0123abcd: vnf-a-plain-1 2",
  );
  await expect(owned(servers.slice(1))).rejects.toThrow("choose by --identity:\nsite-2-0123abcd");
});

it("are those of the identity that the operator has chosen", async () => {
  const servers = [server("1", "site-1-0123abcd/vnf-a"), server("2", "site-2-0123abcd/vnf-a")];
  expect(await owned(servers, "site-2-0123abcd")).toEqual({ identity: "site-2-0123abcd", ids: ["2"] });
  await expect(owned(servers, "site-3-0123abcd")).rejects.toThrow("choose by --identity");
});

it("are none of a stack without servers, whose identity a former state has", async () => {
  const get = () => Promise.reject(new Error("the cloud is not asked"));
  const lost = { instances: [], stack: "site-1", identity: "site-1-0123abcd" };
  expect(await ownedServers({ get }, lost)).toEqual({ identity: "site-1-0123abcd", ids: [] });
});

it("must exist", async () => {
  await expect(owned([server("1"), server("2", "site-1-0123abcd/vnf-b")])).rejects.toThrow(
    "no server in the project belongs to vnf-a: there is no state to make again",
  );
});
