import { didYouMean } from "../../components/base/nearest";

test.each([
  ["wed", "web"],
  ["smal", "small"],
  ["Scale", "scale"],
  ["worker_instanse", "worker_instance"],
  ["worker-instance", "worker_instance"],
  ["workerinstance", "worker_instance"],
  ["Files/kubernetes/deploiment.yaml", "Files/kubernetes/deployment.yaml"],
  ["Files/kubernets/deployment.yaml", "Files/kubernetes/deployment.yaml"],
  ["tosca.nodes.nfv.VirtualLink", "tosca.nodes.nfv.VnfVirtualLink"],
])("%s is meant to be %s", (name, known) => {
  expect(didYouMean(name, ["other", known])).toBe(`; did you mean "${known}"?`);
});

test.each([
  ["a short name with another letter in each place", "db", "web"],
  ["another one of the family, by its number", "VDU7", "VDU1"],
  ["another one of the family, by its first word", "master_instance", "worker_instance"],
  ["another one of the family, in camel case", "masterNode", "workerNode"],
  ["a name of another kind", "CP1", "VL1"],
  ["another file of the folder", "Files/kubernetes/a.yaml", "Files/kubernetes/b.yaml"],
  ["the file that it is named after", "vnfd_df.yaml", "vnfd.yaml"],
  ["another type with the same prefix", "tosca.nodes.nfv.Foo", "tosca.nodes.nfv.Cp"],
  ["an empty name", "", "x"],
])("%s is not suggested", (_, name, known) => {
  expect(didYouMean(name, [known])).toBe("");
});

test("an existing name is not suggested, but the next nearest", () => {
  const known = ["images", "imager"];
  expect(didYouMean("image", known, ["images"])).toBe('; did you mean "imager"?');
  expect(didYouMean("image", known, known)).toBe("");
});
