/** Values of other instances that a preview does not know. */
import * as pulumi from "@pulumi/pulumi";
import { Cnf } from "../../../components/deploy/objects/cnf";
import { recordResources, settle } from "../../support/mocks";
import { kubeconfig } from "../fixtures";
import { planned } from "./support";

const MANIFEST = `
apiVersion: v1
kind: ConfigMap
metadata: {name: config, annotations: {shown: "\${ADDRESS}"}}
data: {url: "http://\${ADDRESS}:\${PORT}", port: "\${PORT}"}
`;

test("the rest of an object is known", async () => {
  const recorded = recordResources();
  const variables = { ADDRESS: { get_attribute: ["gateway", "vnfState"] }, PORT: 80 };
  const { plan } = planned(MANIFEST, { params: { variables } });
  const unknown = pulumi.output(pulumi.unknown as never);
  new Cnf("cnf", {
    plan,
    identity: pulumi.output("site-1-5f0c2a9e"),
    readyTimeout: "2m",
    kubeconfig: pulumi.secret(kubeconfig("c")),
    attributes: new Map(plan.attributes?.map(({ mark }) => [mark, unknown])),
  });
  await settle();
  const config = recorded.find(({ name }) => name === "cnf-configmap-default/config");
  // mocks show what is not known as undefined, be it a whole field or a part of it
  expect(config?.inputs["data"]).toStrictEqual({ url: undefined, port: "80" });
  expect(config?.inputs["metadata"]).toMatchObject({ name: "config", annotations: { shown: undefined } });
});
