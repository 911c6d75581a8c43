import { planAptRepository } from "../../../components/plan/kubeadm/apt-repository";
import type { AptRepositorySettings, ClusterInstallation } from "../../../components/settings/model";
import { ARMORED_KEY } from "../fixtures";
import { placeOf } from "../places";

function plan(repository: Partial<AptRepositorySettings> | undefined, kubernetes_version?: string) {
  const place = placeOf("k8s");
  const apt_repository = repository && {
    suite: "/",
    components: [],
    signed_by: ARMORED_KEY,
    packages: [],
    ...repository,
  };
  const planned = planAptRepository({ apt_repository, kubernetes_version } as ClusterInstallation, place);
  return { planned, faults: place.findings.texts };
}

describe("planAptRepository", () => {
  it("makes nothing of nothing", () => {
    expect(plan(undefined)).toEqual({ planned: undefined, faults: [] });
  });

  it.each([
    ["v1.33.0", "https://pkgs.k8s.io/core:/stable:/v1.33/deb/"],
    ["v1.9.11", "https://pkgs.k8s.io/core:/stable:/v1.9/deb/"],
  ])("takes the Kubernetes project's repository of the minor version of %s", (version, url) => {
    expect(plan({}, version).planned).toMatchObject({ url, suite: "/", kubernetesVersion: version });
  });

  it("takes a mirror of the site's own, flat or with suite and components", () => {
    const url = "https://mirror.example/kubernetes";
    const suite = { suite: "bookworm", components: ["main", "extra"] };
    expect(plan({ url, ...suite }, "v1.33.0")).toMatchObject({ planned: { url, ...suite }, faults: [] });
  });

  it("reports every fault at once", () => {
    expect(plan({ suite: "deb/", components: ["main"] }).faults).toEqual([
      "k8s.apt_repository.components: main: a flat repository has no components; remove them, or set a suite that does not end with / instead of deb/",
      "k8s.kubernetes_version: is required with apt_repository, for example v1.33.0",
    ]);
    expect(plan({ suite: "bookworm" }, "v1.33.0").faults).toEqual([
      "k8s.apt_repository.components: is required with suite bookworm, for example [main]; the suite of a flat repository ends with /",
    ]);
  });
});
