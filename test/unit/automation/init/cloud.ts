import type { OpenStack } from "../../../../components/openstack/session";

const PROJECT = "6f2c";

/** Recorded answers of a cloud's APIs, by service and path, with only the fields that vnfm reads. */
const ANSWERS: Readonly<Record<string, object>> = {
  "network /v2.0/networks": {
    networks: [
      network("b1", "public", { shared: true, "router:external": true, project_id: "of the administrator" }),
      network("b2", "floating", { "router:external": true, project_id: "of the administrator" }),
      network("b3", "backend", { project_id: PROJECT }),
    ],
  },
  "network /v2.0/subnets": {
    subnets: [
      { id: "c1", network_id: "b1", cidr: "198.19.0.0/24", gateway_ip: "198.19.0.1", ip_version: 4 },
      { id: "c3", network_id: "b3", cidr: "10.1.0.0/24", gateway_ip: null, ip_version: 4 },
    ],
  },
  "image /v2/images?status=active": {
    images: [
      image("d1", "debian-12", "2026-01-01T00:00:00Z"),
      image("d2", "debian-12-kube-v1.33.0", "2026-02-01T00:00:00Z", { kube_version: "v1.33.0" }),
    ],
    next: "/v2/images?status=active&marker=d2",
  },
  "image /v2/images?status=active&marker=d2": {
    images: [
      image("d3", "ubuntu-24.04-kube-v1.34.4", "2026-03-01T00:00:00Z", { kube_version: "v1.34.4" }),
      image("d4", "twice", "2026-03-01T00:00:00Z"),
      image("d5", "twice", "2026-03-02T00:00:00Z", { os_admin_user: "admin" }),
    ],
  },
  "compute /flavors/detail": {
    flavors: [
      flavor("e1", "m1.tiny", 1, 512, 1),
      flavor("e2", "m1.small", 1, 2048, 20),
      flavor("e3", "m1.medium", 2, 4096, 40),
      flavor("e4", "m1.large", 4, 8192, 80),
    ],
  },
};

function network(id: string, name: string, others: object): object {
  return { id, name, shared: false, "router:external": false, status: "ACTIVE", subnets: [], ...others };
}

function image(id: string, name: string, created_at: string, others: object = {}): object {
  return { id, name, created_at, status: "active", visibility: "public", disk_format: "qcow2", ...others };
}

function flavor(id: string, name: string, vcpus: number, ram: number, disk: number): object {
  return { id, name, vcpus, ram, disk, "os-flavor-access:is_public": true };
}

/** A cloud with the recorded answers. */
export const CLOUD: Pick<OpenStack, "get" | "projectId"> = {
  projectId: PROJECT,
  get: <T>(service: string, path: string) => Promise.resolve(ANSWERS[`${service} ${path}`] as T | undefined),
};
