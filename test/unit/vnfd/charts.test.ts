/** Helm charts of a package's Mciops. */
import { loadPackage } from "../../../components/vnfd/package";
import { faultsOf, flavour, folderOf } from "./support";

const UNIT = (name: string) => `
      type: tosca.nodes.nfv.Vdu.OsContainerDeployableUnit
      properties:
        name: ${name}
        description: ${name}
        vdu_profile: { min_number_of_instances: 1, max_number_of_instances: 3 }
        mcio_identification_data: { name: ${name}, type: Deployment }`;

const vnfd = (mciops: string) => `tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  acme.VNF:
    derived_from: tosca.nodes.nfv.VNF
    properties:
      descriptor_id: { type: string, default: d }
      descriptor_version: { type: string, default: "1" }
      provider: { type: string, default: acme }
      product_name: { type: string, default: web }
      software_version: { type: string, default: "1" }
      flavour_id: { type: string, default: simple }
topology_template:
  node_templates:
    VNF: { type: acme.VNF, properties: { flavour_description: simple } }
    Web:${UNIT("web")}
    Db:${UNIT("db")}
${mciops}`;

const located = (mciops: string) =>
  folderOf({
    "TOSCA-Metadata/TOSCA.meta":
      "TOSCA-Meta-File-Version: 1.0\nCSAR-Version: 1.1\nCreated-By: a\nEntry-Definitions: Definitions/vnfd.yaml\n",
    "Definitions/vnfd.yaml": vnfd(mciops),
    "Artifacts/Charts/web-1.0.0.tgz": "a chart",
    "Artifacts/Charts/db/Chart.yaml": "name: db",
  });

const mciop = (name: string, file: string, vdu: string) => `    ${name}:
      type: tosca.nodes.nfv.Mciop
      requirements:
        - associatedVdu: ${vdu}
      artifacts:
        chart:
          type: tosca.artifacts.nfv.HelmChart
          description: its chart
          file: ${file}
`;

it("the reader reads the chart of each Mciop, from the file that names it or from the root of the package", () => {
  const both =
    mciop("web_mciop", "../Artifacts/Charts/web-1.0.0.tgz", "Web") + mciop("db", "Artifacts/Charts/db", "Db");
  const { charts, warnings } = flavour(located(both));
  expect(charts).toEqual([
    { id: "web_mciop", path: "Artifacts/Charts/web-1.0.0.tgz", vdus: ["Web"] },
    { id: "db", path: "Artifacts/Charts/db", vdus: ["Db"] },
  ]);
  expect(warnings).toEqual([]);
});

it("the reader names charts that are not in the package, second charts and VDUs that there are not", () => {
  const second = "        more: { type: tosca.artifacts.nfv.HelmChart, file: ../Artifacts/Charts/db }\n";
  const wrong = mciop("web_mciop", "../Artifacts/Charts/web-2.0.0.tgz", "Webb") + second;
  expect(faultsOf(() => loadPackage(located(wrong)))).toEqual([
    expect.stringMatching(/Webb.*did you mean "Web"/),
    expect.stringMatching(/more.*is a HelmChart in addition to chart; an Mciop has one/),
    expect.stringMatching(/web-2\.0\.0\.tgz" is not in the package/),
  ] as string[]);
});
