/** The session that the checks of one run share. */
import { Fault } from "../../../components/base/fault";
import { sharedBy } from "../../../components/preflight/cloud";
import { stubCloud } from "./stub-cloud";

const REFUSAL = new Fault("403");

it("is opened when it is first needed, and sends each request once, also one that the cloud refuses", async () => {
  const requests: string[] = [];
  const connect = jest.fn(() =>
    Promise.resolve(
      stubCloud((path, service) => {
        requests.push(`${service} ${path}`);
        if (path === "/secret") throw REFUSAL;
        return { service };
      }),
    ),
  );
  const shared = sharedBy(connect);
  expect(connect).not.toHaveBeenCalled();
  const [one, other] = await Promise.all([shared(), shared()]);
  expect(await Promise.all([one.get("compute", "/limits"), other.get("compute", "/limits")])).toEqual([
    { service: "compute" },
    { service: "compute" },
  ]);
  expect(await other.get("block-storage", "/limits")).toEqual({ service: "block-storage" });
  for (const cloud of [one, other]) await expect(cloud.get("network", "/secret")).rejects.toBe(REFUSAL);
  expect(requests).toEqual(["compute /limits", "block-storage /limits", "network /secret"]);
  expect(connect).toHaveBeenCalledTimes(1);
});

it("refuses the project's id only to a check that needs it", async () => {
  const session = Object.defineProperty(
    stubCloud(() => ({})),
    "projectId",
    {
      get: () => {
        throw REFUSAL;
      },
    },
  );
  const cloud = await sharedBy(() => Promise.resolve(session))();
  expect(await cloud.get("compute", "/limits")).toEqual({});
  expect(() => cloud.projectId).toThrow(REFUSAL);
});
