import { Fault } from "../../../components/fault";
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

it("a page that comes again and again is a fault", async () => {
  const body = { servers: ["one"], servers_links: [{ rel: "next", href: "/list?marker=1" }] };
  const cloud = cloudOf({ "/list": body, "/list?marker=1": body });
  await expect(listed(cloud, "compute", "/list", "servers")).rejects.toThrow(
    new Fault("compute gives the same page of /list again and again"),
  );
});
