import * as pulumi from "@pulumi/pulumi";
import type { ConstructResult, Provider } from "@pulumi/pulumi/provider";
import { Cluster, Cnf, KubernetesCluster, Servers, WorkloadCluster } from "../program/components";
import { answerOf } from "../program/settled";
import { packageSchema, type Manifest } from "./schema";

/** Constructor of a component, from unchecked inputs. */
type Maker = new (
  name: string,
  args: never,
  opts: pulumi.ComponentResourceOptions,
) => Servers | Cnf | Cluster;

const MAKERS: Readonly<Record<string, Maker>> = { Servers, KubernetesCluster, Cnf, WorkloadCluster };

/** The components for programs in all languages of Pulumi, which starts this as the plugin `vnfm`. */
export class ComponentProvider implements Provider {
  readonly version: string;

  constructor(private readonly manifest: Manifest) {
    this.version = manifest.version;
  }

  getSchema(): Promise<string> {
    return Promise.resolve(JSON.stringify(packageSchema(this.manifest)));
  }

  async construct(
    name: string,
    type: string,
    inputs: pulumi.Inputs,
    options: pulumi.ComponentResourceOptions,
  ): Promise<ConstructResult> {
    const Maker = MAKERS[type.replace("vnfm:index:", "")];
    if (Maker === undefined) throw new Error(`vnfm has no component ${type}`);
    const component = new Maker(name, (await withVim(inputs)) as never, options);
    const state = stateOf(component);
    Object.values(state).forEach(hear);
    await component.planned().catch((error: Error) => {
      // the engine shows it without a stack trace
      throw pulumi.RunError.isInstance(error)
        ? new pulumi.InputPropertiesError({ message: error.message, errors: [] })
        : error;
    });
    return { urn: component.urn, state };
  }
}

/** Returns the outputs of a component, by the names of the schema. */
function stateOf(component: Servers | Cnf | Cluster): Record<string, pulumi.Output<unknown>> {
  const { vnf } = component;
  if (!(component instanceof Cluster)) return { vnf };
  const { kubeconfig, vimConnectionInfo, apiUrl } = component;
  return { vnf, kubeconfig, vimConnectionInfo, apiUrl };
}

/** Handles the failure of an output; otherwise the SDK would log it with a stack trace. */
function hear(output: pulumi.Output<unknown>): void {
  const { isKnown } = output as unknown as { readonly isKnown: Promise<boolean> };
  void Promise.allSettled([isKnown, pulumi.isSecret(output)]);
}

/** Replaces a component in the input `vim`, which Pulumi passes as a URN, by its instance name. */
async function withVim(inputs: pulumi.Inputs): Promise<pulumi.Inputs> {
  const vim: unknown = inputs["vim"];
  if (vim === undefined) return inputs;
  const { known } = pulumi.Output.isInstance(vim) ? await answerOf(vim) : { known: { value: vim } };
  const instance = /^urn:pulumi:.*[:$]vnfm:index:\w+::([a-z0-9-]+)$/.exec(String(known?.value))?.[1];
  return instance === undefined ? inputs : { ...inputs, vim: instance };
}
