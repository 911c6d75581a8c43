import { stringify } from "yaml";
import type { CnfPlan } from "../../../components/plan/workload/model";
import { checkClaims, checkFamilies, type IpFamily } from "../../../components/plan/workload/cnf-services";
import { planned } from "./support";
import { recorded } from "../places";

type Port = Readonly<Record<string, unknown>>;

const service = (name: string, spec: object): string =>
  stringify({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { selector: { a: "b" }, ...spec },
  });
const nodePorts = (name: string, ...ports: readonly Port[]): string =>
  service(name, { type: "NodePort", ports });
const plan = (instance: string, ...manifests: readonly string[]): CnfPlan =>
  planned(manifests.join("---\n"), { instance, params: { namespace: instance } }).plan;
const taken = (plans: readonly CnfPlan[]) => recorded((found) => checkClaims(plans, found));
const way = "set another value for one of the two, or remove it, so that Kubernetes chooses";

const sip = { port: 5060, protocol: "UDP", nodePort: 30060 };

describe("what a cluster has once", () => {
  it("is not for two CNFs: a node port, whatever its protocol is", () => {
    const other = { port: 80, protocol: "TCP", nodePort: 30060 };
    expect(taken([plan("a", nodePorts("sip", sip)), plan("b", nodePorts("web", other))])).toEqual([
      `vnfm:vnfs.b: Service b/web requests nodePort 30060, and so does Service a/sip of a, on the same cluster; ${way}`,
    ]);
  });

  it("is not for two Services of one CNF", () => {
    expect(taken([plan("a", nodePorts("one", sip), nodePorts("two", sip))])).toEqual([
      `vnfm:vnfs.a: Service a/two requests nodePort 30060, and so does Service a/one, on the same cluster; ${way}`,
    ]);
  });

  it("is not for two ports of one Service, but for one port of two protocols", () => {
    const dns = ["UDP", "TCP"].map((protocol) => ({ port: 53, protocol, nodePort: 30053, name: protocol }));
    expect(taken([plan("a", nodePorts("dns", ...dns))])).toEqual([]);
    const twice = { ...sip, port: 5061, protocol: "SCTP" };
    expect(taken([plan("a", nodePorts("sip", sip, twice))])).toEqual([
      `vnfm:vnfs.a: Service a/sip requests nodePort 30060, and so does another of its ports, on the same cluster; ${way}`,
    ]);
  });

  it("is a port of health checks too, and an address", () => {
    const balanced = {
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      healthCheckNodePort: 30060,
      clusterIP: "10.96.0.50",
      ports: [{ port: 80 }],
    };
    const addressed = { ports: [sip], clusterIPs: ["10.96.0.50"] };
    const plans = [
      plan("a", service("web", balanced)),
      plan("b", nodePorts("sip", sip), service("x", addressed)),
    ];
    expect(taken(plans).map((fault) => fault.slice(0, fault.indexOf(", on")))).toEqual([
      "vnfm:vnfs.b: Service b/sip requests nodePort 30060, and so does Service a/web of a",
      "vnfm:vnfs.b: Service b/x requests clusterIP 10.96.0.50, and so does Service a/web of a",
    ]);
  });

  it("is not asked for by who leaves it to Kubernetes, has no node ports, or is no Service", () => {
    const manifests = [
      nodePorts("chosen", { port: 80 }, { port: 81, nodePort: 0 }),
      service("headless", { clusterIP: "None", ports: [{ port: 80 }] }),
      service("bare", {}),
      stringify({
        apiVersion: "serving.knative.dev/v1",
        kind: "Service",
        metadata: { name: "k", namespace: "x" },
        spec: { type: "NodePort", ports: [sip] },
      }),
    ];
    expect(taken([plan("a", ...manifests.slice(0, 3)), plan("b", ...manifests)])).toEqual([]);
    expect(taken([plan("a", nodePorts("sip", sip)), plan("b", manifests[3] ?? "")])).toEqual([]);
  });

  it("is told once where the Service itself is that of another CNF", () => {
    const own = nodePorts("sip", sip).replace("name: sip", "name: sip\n  namespace: own");
    expect(taken([plan("a", own), plan("b", own)])).toEqual([]);
  });
});

describe("a Service on a cluster", () => {
  const faults = (spec: object, families: readonly IpFamily[]) =>
    recorded((found) => checkFamilies(plan("b", service("web", spec)), "vnf-a", families, found));
  const fault = (what: string, family: string) => [
    `vnfm:vnfs.b: Service b/web has ${what}, but the cluster vnf-a has only ${family}; remove that, or use ipFamilyPolicy PreferDualStack without ipFamilies`,
  ];
  const ofBoth = [
    { ipFamilyPolicy: "RequireDualStack" },
    { ipFamilies: ["IPv4", "IPv6"] },
    { clusterIP: "fd00::5", ipFamilies: ["IPv6"] },
    { clusterIP: "None", ipFamilyPolicy: "RequireDualStack" },
    { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"], clusterIP: "10.96.0.7" },
  ];

  it.each([
    [ofBoth[0], "ipFamilyPolicy RequireDualStack"],
    [ofBoth[1], "IPv6 in ipFamilies"],
    [ofBoth[2], "IPv6 in ipFamilies, clusterIP fd00::5"],
    [ofBoth[3], "ipFamilyPolicy RequireDualStack"],
  ])("is refused for IPv4 with %j", (spec, what) => {
    expect(faults(spec ?? {}, ["IPv4"])).toEqual(fault(what, "IPv4"));
  });

  it.each([
    [ofBoth[0], "ipFamilyPolicy RequireDualStack"],
    [ofBoth[1], "IPv4 in ipFamilies"],
    [ofBoth[4], "IPv4 in ipFamilies, clusterIP 10.96.0.7"],
  ])("is refused for IPv6 with %j", (spec, what) => {
    expect(faults(spec ?? {}, ["IPv6"])).toEqual(fault(what, "IPv6"));
  });

  it.each([
    {},
    { ipFamilyPolicy: "PreferDualStack" },
    { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4"], clusterIP: "10.96.0.7" },
    { clusterIP: "None", selector: undefined, ipFamilyPolicy: "RequireDualStack" },
  ])("is accepted for IPv4 with %j", (spec) => {
    expect(faults(spec, ["IPv4"])).toEqual([]);
  });

  it.each(ofBoth)("is accepted for both families with %j", (spec) => {
    expect(faults(spec, ["IPv4", "IPv6"])).toEqual([]);
  });
});
