import { shaped, type Shape } from "../base/net/answer";

/** A JSON object from an API of the cloud. */
export type CloudAnswer = Readonly<Record<string, unknown>>;

const QUOTA = { limit: "number", used: "number", reserved: "number" } as const;

/** Fields of cloud resources that vnfm uses. A field has the same type in all kinds of resources. */
const THING = {
  id: "text",
  name: "text",
  project_id: "text",
  status: "text",
  provisioning_status: "text",
  // of servers, key pairs and zones
  "OS-EXT-STS:task_state": "text",
  fault: { message: "text", code: "number" },
  metadata: { "*": "text" },
  keypair: { name: "text" },
  volumeId: "text",
  zoneName: "text",
  // of flavors and images
  created_at: "text",
  disk: "number",
  kube_version: "text",
  min_disk: "number",
  min_ram: "number",
  os_admin_user: "text",
  ram: "number",
  size: "number",
  vcpus: "number",
  virtual_size: "number",
  // of networks
  cidr: "text",
  device_owner: "text",
  fixed_ips: [{ subnet_id: "text" }],
  gateway_ip: "text",
  ip_version: "number",
  network_id: "text",
  port_id: "text",
  // of limits and quotas
  absolute: { "*": "number" },
  floatingip: QUOTA,
  loadbalancer: "number",
  network: QUOTA,
  port: QUOTA,
  router: QUOTA,
  security_group: QUOTA,
  security_group_rule: QUOTA,
  subnet: QUOTA,
  // of a link to another page
  href: "text",
  rel: "text",
} as const satisfies Shape;

/** Shape of an answer: a resource, one under its name, or a list of them. */
const ANSWER = { ...THING, extra_specs: { "*": "text" }, next: "text" } as const satisfies Shape;

/**
 * Removes `null`, and fields whose type differs from the cloud's API, because a faulty or hostile server may return
 * anything.
 */
export function typed(answer: CloudAnswer): CloudAnswer {
  const things = Object.entries(answer).map(([key, value]): [string, unknown] => {
    if (Object.hasOwn(ANSWER, key)) return [key, value];
    if (value === null) return [key, undefined];
    return [key, typeof value !== "object" ? value : shaped(value, Array.isArray(value) ? [THING] : THING)];
  });
  return shaped(Object.fromEntries(things), ANSWER) as CloudAnswer;
}

/** Returns the items of a list in an answer; none if there is no list with that key. */
export function thingsOf<T>(answer: CloudAnswer | undefined, key: string): readonly T[] {
  const things = answer?.[key];
  return Array.isArray(things) ? (things as readonly T[]) : [];
}
