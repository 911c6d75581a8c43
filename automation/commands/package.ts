import { UsageFault } from "../fault";
import { fillPackage } from "../cluster-api/fill-package";
import { DEFAULT_VERSIONS } from "../cluster-api/releases";
import { command, keyword, option, withDefault, type Option } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { show } from "../command-line/terminal";

const PACKAGE = "vnf-packages/cluster-api";

export const packageCommand = command({
  name: "package",
  summary: "adds Cluster API's releases to the VNF package of a management cluster, if they fit together",
  examples: ["package cluster-api", "package cluster-api --from https://mirror.example --core v1.13.4"],
  operands: { content: keyword("cluster-api") },
  options: {
    from: option(
      "PLACE",
      "folder or URL of a mirror that has PROVIDER/VERSION/FILE; default: upstream's releases",
    ),
    core: version("core", "Cluster API"),
    openstack: version("openstack", "its OpenStack provider"),
    orc: version("orc", "the OpenStack resource controller"),
    into: withDefault(option("FOLDER", `the VNF package; default: ${PACKAGE}`), PACKAGE),
  },
  read: ({ core, openstack, orc, ...request }) => ({ ...request, versions: { core, openstack, orc } }),
  run: async (request) => {
    show(await fillPackage(request));
    return EXIT.done;
  },
});

/** The version of one of the projects. */
function version(project: keyof typeof DEFAULT_VERSIONS, what: string): Option<string> {
  const byDefault = DEFAULT_VERSIONS[project];
  const read = (text: string): string => {
    if (/^v\d{1,4}\.\d{1,4}\.\d{1,4}(-[0-9a-z.-]+)?$/.test(text)) return text;
    throw new UsageFault(`"${text}" is not a version, such as ${byDefault}`);
  };
  return withDefault(option("VERSION", `${what}; ${byDefault} by default`, { read }), byDefault);
}
