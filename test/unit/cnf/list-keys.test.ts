import { readManifests } from "../../../components/kube/manifests/manifests";
import { faultLine, type Fault } from "../../../components/vnfd/model";
import { packageOf } from "./support";

function faultsOf(yaml: string): string[] {
  const faults: Fault[] = [];
  readManifests(packageOf({ "m.yaml": yaml }), ["m.yaml"], faults);
  return faults.map(faultLine);
}

const REFUSED = "which server-side apply rejects; remove one of the two";

test("entries with the keys of an earlier one are faults, at their own lines", () => {
  expect(
    faultsOf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
        - name: web
          env:
            - name: A
            - name: B
            - name: A
          ports:
            - containerPort: 80
            - {containerPort: 80, protocol: UDP}
            - {containerPort: 80, protocol: TCP, hostPort: 8080}
        - name: web
          volumeMounts:
            - {name: a, mountPath: /a}
            - {name: b, mountPath: /a}
`),
  ).toEqual([
    `m.yaml:17: Deployment web: spec.template.spec.containers[1]: name web is also that of [0], ${REFUSED}`,
    `m.yaml:12: Deployment web: spec.template.spec.containers[0].env[2]: name A is also that of [0], ${REFUSED}`,
    `m.yaml:16: Deployment web: spec.template.spec.containers[0].ports[2]: containerPort 80, protocol TCP is also that of [0], ${REFUSED}`,
    `m.yaml:20: Deployment web: spec.template.spec.containers[1].volumeMounts[1]: mountPath /a is also that of [0], ${REFUSED}`,
  ]);
});

test.each([
  ["v1, kind: Pod", "spec: {initContainers: [{name: a}, {name: a}]}", "spec.initContainers[1]: name a"],
  ["v1, kind: Pod", "spec: {volumes: [{name: a}, {name: b}, {name: a}]}", "spec.volumes[2]: name a"],
  [
    "v1, kind: Pod",
    "spec: {hostAliases: [{ip: 10.0.0.1}, {ip: 10.0.0.1}]}",
    "spec.hostAliases[1]: ip 10.0.0.1",
  ],
  ["v1, kind: Pod", "spec: {imagePullSecrets: [{name: a}, {name: a}]}", "spec.imagePullSecrets[1]: name a"],
  [
    "batch/v1, kind: CronJob",
    "spec: {jobTemplate: {spec: {template: {spec: {containers: [{env: [{name: toString}, {name: toString}]}]}}}}}",
    "spec.jobTemplate.spec.template.spec.containers[0].env[1]: name toString",
  ],
  [
    "v1, kind: Service",
    "spec: {ports: [{port: 53, protocol: UDP}, {port: 53}, {port: 53, protocol: TCP}]}",
    "spec.ports[2]: port 53, protocol TCP",
    1,
  ],
  ["v1, kind: ServiceAccount", "secrets: [{name: a}, {name: a}]", "secrets[1]: name a"],
  ["v1, kind: ConfigMap", "metadata: {name: o, finalizers: [a/b, a/b]}", "metadata.finalizers[1]: a/b"],
])("duplicate keys of %s are found too: %s", (kind, rest, what, before = 0) => {
  const metadata = rest.startsWith("metadata") ? "" : "metadata: {name: o}, ";
  const first = what.startsWith("spec.volumes") ? 0 : before;
  expect(faultsOf(`{apiVersion: ${kind}, ${metadata}${rest}}`)).toEqual([
    `m.yaml:1: ${kind.split(" ").at(-1)} o: ${what} is also that of [${first}], ${REFUSED}`,
  ]);
});

test.each([
  "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 53}, {port: 53, protocol: UDP}]}}",
  "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{}, {}], tolerations: [{key: a}, {key: a}]}}",
  "{apiVersion: example.com/v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 53}, {port: 53}]}}",
  "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: {name: a}}}",
])("different keys, lists without keys, and other lists are no duplicates: %s", (yaml) => {
  expect(faultsOf(yaml)).toEqual([]);
});

test("an entry that an alias repeats is told at the line of its object", () => {
  expect(
    faultsOf(`
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  initContainers: [&c {name: a}]
  containers: [*c, *c]
`),
  ).toEqual([
    expect.stringMatching(/^m\.yaml:[27]: Pod p: spec\.containers\[1\]: name a is also that of \[0\]/),
  ]);
});
