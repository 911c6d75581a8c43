import { Fault } from "../../../components/base/fault";
import { listed } from "../../../components/openstack/listing";

/** A cloud that has these answers by their paths. */
function cloudOf(answers: Readonly<Record<string, object>>) {
  const asked: string[] = [];
  const get = <T>(_service: string, path: string) => {
    asked.push(path);
    return Promise.resolve(answers[path] as T | undefined);
  };
  return { asked, get };
}

it.each<[string, string, object]>([
  [
    "Nova",
    "servers",
    { servers_links: [{ rel: "next", href: "http://10.0.0.1/v2.1/servers?name=a&marker=1" }] },
  ],
  [
    "Neutron",
    "ports",
    {
      ports_links: [
        { rel: "previous", href: "http://10.0.0.1/v2.0/ports?name=a&marker=0&page_reverse=True" },
        { rel: "next", href: "http://10.0.0.1/v2.0/ports?name=a&marker=1" },
      ],
    },
  ],
  ["Glance", "images", { next: "/v2/images?name=a&marker=1" }],
])("all pages of %s are read, at the endpoint of the catalog", async (_, key, next) => {
  const cloud = cloudOf({
    "/list?name=a": { [key]: ["one"], ...next },
    "/list?name=a&marker=1": { [key]: ["two"] },
  });
  expect(await listed(cloud, "compute", "/list?name=a", key)).toEqual(["one", "two"]);
  expect(cloud.asked).toEqual(["/list?name=a", "/list?name=a&marker=1"]);
});

it("a listing that there is not has nothing", async () => {
  expect(await listed(cloudOf({}), "compute", "/list", "servers")).toEqual([]);
});

describe("pages without end", () => {
  afterEach(() => jest.restoreAllMocks());

  /** A cloud whose every page names another one. */
  const endless = (page: object) => {
    let pages = 0;
    const get = <T>() => Promise.resolve({ ...page, next: `/list?marker=${(pages += 1)}` } as T);
    return { get };
  };

  it("are a fault once they take too long", async () => {
    let now = 0;
    jest.spyOn(Date, "now").mockImplementation(() => (now += 60_000));
    await expect(listed(endless({ images: [] }), "image", "/list", "images")).rejects.toThrow(
      new Fault("image did not return all pages of /list within 300 s, only 4"),
    );
  });

  it("are a fault once they are too much", async () => {
    const page = { images: [{ id: "x".repeat(13 << 20) }] };
    await expect(listed(endless(page), "image", "/list", "images")).rejects.toThrow(
      new Fault("image returns more than 64 MiB in 5 pages of /list"),
    );
  });
});

it("a page may have more items than a call may have arguments", async () => {
  const cloud = cloudOf({ "/list": { images: Array(200_000).fill("one") } });
  expect(await listed(cloud, "image", "/list", "images")).toHaveLength(200_000);
});

it("a listing that is none has nothing", async () => {
  const cloud = cloudOf({ "/list": { servers: "none", servers_links: 5 } });
  expect(await listed(cloud, "compute", "/list", "servers")).toEqual([]);
});

it("a page that comes again and again is a fault", async () => {
  const body = { servers: ["one"], servers_links: [{ rel: "next", href: "/list?marker=1" }] };
  const cloud = cloudOf({ "/list": body, "/list?marker=1": body });
  await expect(listed(cloud, "compute", "/list", "servers")).rejects.toThrow(
    new Fault("compute returns the same page of /list again and again"),
  );
});
