/**
 * Posts one object to a Kubernetes API and prints the status of the answer. Standard input has the credentials, the
 * path and the object, none of which may appear in a message.
 */
import { KubeApi, type Access } from "../../../kube/client/kube-api";
import { readInput, startProgram } from "../../../run/program";

interface Input {
  readonly access: Access;
  readonly path: string;
  readonly object: { readonly kind: string };
}

async function main() {
  const { access, path, object } = readInput<Input>();
  const { status } = await new KubeApi(access).post(path, object).catch((error: Error) => {
    throw new Error(`${object.kind}: ${error.message}`);
  });
  process.stdout.write(JSON.stringify(status ?? {}));
}

startProgram(main);
