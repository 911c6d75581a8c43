// @ts-check
// Posts one object to a Kubernetes API and prints the status of the answer. Standard input has the
// credentials, the path and the object: nothing of it may show in a message.
"use strict";
const { readInput } = require("../../../script-input.cjs");
const { KubeApi } = require("../../../kube/client/kube-api.cjs");
const { printable } = require("../../../printable.cjs");

const { access, path, object } = readInput();
new KubeApi(access).post(path, object).then(
  ({ status }) => process.stdout.write(JSON.stringify(status ?? {})),
  (error) => {
    process.stderr.write(printable(`${object.kind}: ${error.message}\n`));
    process.exitCode = 1;
  },
);
