// @ts-check
// Posts one object to a Kubernetes API and prints the status of the answer. Standard input has the
// credentials, the path and the object: nothing of it may show in a message.
"use strict";
const { readInput } = require("../../../run/script-input.cjs");
const { KubeApi } = require("../../../kube/client/kube-api.cjs");
const { startProgram } = require("../../../run/start-program.cjs");

async function main() {
  const { access, path, object } = readInput();
  const { status } = await new KubeApi(access).post(path, object).catch((error) => {
    throw new Error(`${object.kind}: ${error.message}`);
  });
  process.stdout.write(JSON.stringify(status ?? {}));
}

startProgram(main);
