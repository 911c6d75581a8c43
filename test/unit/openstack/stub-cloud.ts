import type { Service } from "../../../components/openstack/session";
import type { Cloud } from "../../../components/preflight/cloud";

/**
 * Returns a cloud for the checks before a run. @param answer returns the body for a path; undefined is a 404
 * @param flavors answer to the list of flavors. @default that of `answer`
 */
export function stubCloud(
  answer: (path: string, service: Service) => unknown,
  flavors?: readonly object[],
): Cloud {
  return {
    get: async <T>(service: Service, path: string) =>
      (await (path === "/flavors/detail" && flavors ? { flavors } : answer(path, service))) as T | undefined,
    projectId: "p",
    roles: [],
  };
}
