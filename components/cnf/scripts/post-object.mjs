// Posts one object to a Kubernetes API and prints the status of the answer. `input`, in front of this text, has
// the address, the credentials and the object: nothing of it may show in a message.
/* global input */
import http from "node:http";
import https from "node:https";

const { access, path, object } = input;

function fail(message) {
  process.stderr.write(`${object.kind}: ${message}\n`);
  process.exit(1);
}

if (!access.token && !(access.cert && access.key)) {
  fail(
    "the kubeconfig's user has neither a token nor a client certificate in it, which posting an object needs",
  );
}
const url = new URL(access.server.replace(/\/+$/, "") + path);
const body = JSON.stringify(object);
const headers = {
  accept: "application/json",
  "content-type": "application/json",
  "content-length": Buffer.byteLength(body),
};
if (access.token) headers.authorization = `Bearer ${access.token}`;
const pem = (base64) => (base64 ? Buffer.from(base64, "base64") : undefined);

const request = (url.protocol === "http:" ? http : https).request(
  url,
  {
    method: "POST",
    headers,
    ca: pem(access.ca),
    cert: pem(access.cert),
    key: pem(access.key),
    rejectUnauthorized: !access.insecure,
    ...(access.serverName ? { servername: access.serverName } : {}),
    timeout: 60_000,
  },
  (response) => {
    const parts = [];
    response.on("data", (part) => parts.push(part));
    response.on("end", () => {
      let answer;
      try {
        answer = JSON.parse(Buffer.concat(parts).toString());
      } catch {
        answer = {};
      }
      if (response.statusCode < 200 || response.statusCode > 299) {
        fail(
          `the Kubernetes API refuses it with ${response.statusCode}: ${answer.message ?? "no reason is given"}`,
        );
      }
      process.stdout.write(JSON.stringify(answer.status ?? {}));
    });
  },
);
request.on("timeout", () => request.destroy(new Error("no answer in 60 s")));
request.on("error", (error) => fail(`the Kubernetes API at ${url.host} cannot be reached: ${error.message}`));
request.end(body);
