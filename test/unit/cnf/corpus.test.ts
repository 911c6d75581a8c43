import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "../../../components/kube/objects/object";
import { planCnf } from "../../../components/plan/workload/cnf";
import { CORPUS, describeWithCorpus } from "../../support/corpus";
import { dependencies, flavourOf, get, packageOf } from "./support";
import { placeOf } from "../places";

const corpus = join(CORPUS, "free5gc-cnf");
const folder = "Files/kubernetes";

const VDUS = {
  VDU1: "network-controller-server-unix",
  VDU2: "free5gc-mongodb",
  VDU3: "free5gc-nrf-deployment",
  VDU4: "free5gc-udr-deployment",
  VDU5: "free5gc-upf-deployment",
  VDU6: "free5gc-pcf-deployment",
  VDU7: "free5gc-ausf-deployment",
  VDU8: "free5gc-nssf-deployment",
  VDU9: "free5gc-udm-deployment",
  VDU10: "free5gc-amf-deployment",
  VDU11: "free5gc-webui-deployment",
  VDU12: "free5gc-smf-deployment",
};

describeWithCorpus("the free5gc package", () => {
  const plan = () => {
    const names = readdirSync(join(corpus, folder)).map((name) => `${folder}/${name}`);
    const files = packageOf(
      Object.fromEntries(names.map((name) => [name, readFileSync(join(corpus, name), "utf8")])),
    );
    const place = placeOf("vnfm:vnfs", "core");
    const cnf = planCnf({
      instance: "core",
      place,
      settings: {
        package: "free5gc",
        readyTimeout: "10m",
        evacuate: false,
        placementPolicy: "strict",
        protectVolumes: true,
        protectForeignObjects: true,
        keepBootVolumes: false,
        additionalParams: { "lcm-kubernetes-def-files": names },
      },
      flavour: flavourOf(VDUS),
      files,
      counts: { VDU5: 2 },
    });
    expect(place.findings.texts).toEqual([]);
    return cnf;
  };

  test("the corpus is planned whole", () => {
    const { objects, vnfcs, warnings } = plan();
    expect(objects).toHaveLength(18);
    expect(warnings).toEqual([]);
    expect(
      vnfcs.map(({ vdu, kind, namespace, name, replicas }) => [vdu, kind, `${namespace}/${name}`, replicas]),
    ).toEqual(
      Object.entries(VDUS).map(([vdu, name]) =>
        vdu === "VDU1"
          ? [vdu, "DaemonSet", `kube-system/${name}`, undefined]
          : [vdu, "Deployment", `default/${name}`, vdu === "VDU5" ? 2 : 1],
      ),
    );
  });

  test("the corpus is put in order by kind and by reference", () => {
    const services = ["service-default/mongodb-svc", "service-default/ngap-svc", "service-default/webui-svc"];
    const before = dependencies(plan());
    expect(before["persistentvolume-mongodb-pv-volume"]).toEqual([]);
    expect(before["persistentvolumeclaim-default/mongodb-pv-claim"]).toEqual([
      "persistentvolume-mongodb-pv-volume",
    ]);
    expect(before["deployment-default/free5gc-mongodb"]).toEqual([
      "configmap-default/free5gc-configmap",
      "persistentvolumeclaim-default/mongodb-pv-claim",
      ...services,
    ]);
    expect(before["deployment-default/free5gc-amf-deployment"]).toEqual([
      "configmap-default/free5gc-configmap",
      ...services,
    ]);
    expect(before["daemonset-kube-system/network-controller-server-unix"]).toEqual([]);
  });

  test("the corpus rolls the users of its ConfigMap only", () => {
    const cnf = plan();
    const annotationsOf = (key: string): unknown =>
      at(get(cnf, key).object, "spec", "template", "metadata", "annotations");
    expect(annotationsOf("deployment-default/free5gc-amf-deployment")).toEqual({
      "vnfm.io/configuration-checksum": expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(annotationsOf("deployment-default/free5gc-mongodb")).toBeUndefined();
  });
});
