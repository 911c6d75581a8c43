/** Errors of the program itself, which no check takes for a cloud that does not answer. */
import { Fault } from "../../../components/base/fault";
import { addressFindings } from "../../../components/preflight/api-addresses";
import { lookupBy, readOffer, type Lookup } from "../../../components/preflight/read-offer";
import { checkQuota } from "../../../components/preflight/quota";
import { warnOfServersInError } from "../../../components/preflight/server-errors";
import { checkServerNeeds } from "../../../components/preflight/server-needs";
import { storageVnf } from "../../support/configs";
import { planOf } from "../../support/planned";
import { plannedCluster } from "../plan/planned-cluster";
import { stubCloud } from "./stub-cloud";

const SIZE = { kind: "size", vcpus: 1, ramMiB: 1, diskGiB: 1 } as const;

const plans = planOf({ "vnf-a": storageVnf() });

type Connect = () => Promise<never>;

/** Queries the port of a floating IP, and Octavia for the balancer with that port. */
const findingsOfFloatingIp = (connect: Connect) => {
  const { plan } = plannedCluster({ apiServer: { floatingIp: "198.51.100.9" } });
  const floatingips = [{ floating_ip_address: "198.51.100.9", project_id: "p", port_id: "q" }];
  const cloud = stubCloud((path, service) => {
    if (service === "load-balancer") return connect();
    return path.startsWith("/v2.0/floatingips") ? { floatingips } : {};
  });
  return addressFindings(plan, cloud);
};

const CHECKS: readonly (readonly [string, (connect: Connect) => Promise<unknown>])[] = [
  ["servers in ERROR", (connect) => warnOfServersInError(plans, connect)],
  ["needs of servers", (connect) => checkServerNeeds(plans, connect)],
  ["the quota", (connect) => checkQuota(plans, () => false, connect)],
  ["an image that is not active", (connect) => lookupBy(connect).inactiveImage("debian-12")],
  ["flavors of a size", (connect) => lookupBy(connect).flavorIdsWith(SIZE)],
  ["the balancer of a floating IP", (connect) => findingsOfFloatingIp(connect)],
  ["servers that are there", (connect) => lookupBy(connect).serversThere(plans)],
];

it.each(CHECKS)("ends with an error of the program: %s", async (_, check) => {
  const error = new TypeError("x is not a function");
  await expect(check(() => Promise.reject(error))).rejects.toBe(error);
});

it.each(CHECKS)("goes on without a cloud that does not answer: %s", async (_, check) => {
  await expect(check(() => Promise.reject(new Fault("away")))).resolves.not.toThrow();
});

it("ends with an error of the program in a lookup by the plugin", async () => {
  const error = new TypeError("x is not a function");
  const lookup: Lookup = {
    ...lookupBy(() => Promise.reject(new Fault("away"))),
    imageIds: () => Promise.reject(error),
    flavorId: () => Promise.resolve("f"),
  };
  await expect(readOffer(plans, lookup)).rejects.toBe(error);
});
