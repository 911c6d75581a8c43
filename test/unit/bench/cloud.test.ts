import { Cloud } from "../../bench/cloud";
import { OpenStack } from "../../support/openstack";

/** Paths that are there, in the order in which they were made. */
let there: string[];
let deleted: string[];
let kept: string | undefined;
let cloud: Cloud;

beforeEach(async () => {
  [there, deleted, kept] = [[], [], undefined];
  jest.spyOn(OpenStack, "connect").mockResolvedValue({
    post: (_: string, path: string, { id }: { id: string }) => {
      there.push(`${path}/${id}`);
      return Promise.resolve({ id });
    },
    get: (_: string, path: string) =>
      there.includes(path) ? Promise.resolve({}) : Promise.reject(new Error("404")),
    delete: (_: string, path: string) => {
      if (path === kept || !there.includes(path)) return Promise.reject(new Error(`cannot delete ${path}`));
      there = there.filter((it) => it !== path);
      deleted.push(path);
      return Promise.resolve();
    },
  } as unknown as OpenStack);
  cloud = await Cloud.connect();
  for (const path of ["/v2.0/security-groups", "/v2.0/ports", "/servers"]) {
    await cloud.create<{ id: string }>("service", path, { id: "1" }, ({ id }) => id);
  }
});

afterEach(() => jest.restoreAllMocks());

describe("the clean-up", () => {
  it("deletes the servers first, then the newest before the older", async () => {
    await cloud.create<{ id: string }>("service", "/v2.0/ports", { id: "2" }, ({ id }) => id);
    await cloud.cleanUp();
    expect(deleted).toEqual(["/servers/1", "/v2.0/ports/2", "/v2.0/ports/1", "/v2.0/security-groups/1"]);
  });

  it("passes over what is gone already", async () => {
    await cloud.remove("service", "/servers/1");
    await cloud.cleanUp();
    expect(there).toEqual([]);
  });

  it("names what it cannot delete, once all else is", async () => {
    kept = "/v2.0/ports/1";
    await expect(cloud.cleanUp()).rejects.toThrow(
      "left in the cloud:\n/v2.0/ports/1: Error: cannot delete /v2.0/ports/1",
    );
    expect(there).toEqual(["/v2.0/ports/1"]);
  });

  it("lets nothing be made any more", async () => {
    await cloud.cleanUp();
    expect(() => cloud.create("service", "/servers", { id: "2" }, () => "2")).toThrow(
      "the clean-up has begun",
    );
  });
});
