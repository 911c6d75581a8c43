import { planOf } from "../../support/planned";
import { webCnf } from "../../support/configs";
import { kubeconfig } from "../fixtures";

const CHART = { helmreleasename: "web", helmchartfile_path: "Files/charts/web" };
const heal = { "web-1": "1" };
const vim = { kubeconfig: kubeconfig("a") };

it.each([
  ["manifests", webCnf("web", { vim, heal })],
  [
    "charts alone",
    webCnf("web", {
      ...{ vim, heal },
      additionalParams: { namespace: "web", use_helm: true, using_helm_install_param: [CHART] },
    }),
  ],
])("a token for a VNFC of a CNF of %s is a fault, as it has none", (_, web) => {
  expect(() => planOf({ web })).toThrow(
    "vnfm:vnfs.web.heal.web-1: is not a VNFC of the instance; one of all",
  );
});
