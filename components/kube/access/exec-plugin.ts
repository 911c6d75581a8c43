import { Fault } from "../../base/fault";
import { toYaml } from "../../base/yaml/yaml";
import { fields, isFields, items, text, type Fields } from "../objects/object";
import { readYaml, type YamlFault } from "../manifests/yaml";

/**
 * Changes a kubeconfig so that its exec plugins start without the variables PULUMI_* and OS_*. Otherwise the Kubernetes
 * provider passes on its whole environment, with the stack's passphrase and the cloud's password. Variables in a
 * plugin's own `env` stay. A kubeconfig without exec plugins is unchanged.
 *
 * @throws Fault if the provider could not parse it either, because it may then have plugins
 */
export function withGuardedPlugins(kubeconfig: string): string {
  const faults: YamlFault[] = [];
  const [document] = readYaml(kubeconfig, faults);
  const [fault] = faults;
  if (fault !== undefined) {
    const place = fault.line === undefined ? "" : `line ${fault.line}: `;
    throw new Fault(`the kubeconfig is not YAML that Kubernetes reads: ${place}${fault.message}`);
  }
  const value = fields(document?.value);
  const users = items(value["users"]);
  if (!users.some((entry) => isFields(pluginOf(entry)))) return kubeconfig;
  return toYaml({ ...value, users: users.map(guarded) });
}

function pluginOf(entry: unknown): unknown {
  return fields(fields(entry)["user"])["exec"];
}

function guarded(entry: unknown): unknown {
  const plugin = pluginOf(entry);
  if (!isFields(plugin)) return entry;
  const { user, ...rest } = fields(entry);
  return { ...rest, user: { ...fields(user), exec: guardedPlugin(plugin) } };
}

function guardedPlugin(plugin: Fields): Fields {
  const own = items(plugin["env"]).flatMap((entry) => text(fields(entry)["name"]) ?? []);
  const args = ["-c", WRAPPER, "sh", own.join(" "), plugin["command"], ...items(plugin["args"])];
  return { ...plugin, command: "sh", args };
}

/**
 * Shell script with the arguments: variables to keep, then the plugin's command. kube-api.ts does the same for vnfm.
 */
const WRAPPER = `without=$(awk -v kept=" $1 " 'BEGIN {
  for (name in ENVIRON)
    if (name ~ /^(PULUMI|OS)_[A-Za-z0-9_]*$/ && !index(kept, " " name " ")) print "-u", name
}') || exit
shift
exec env $without "$@"`;
