import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { shellAssignments } from "../../../components/remote/shell";

/** The lines that prepare-node.sh writes into containerd's unit. */
function environment(data: Readonly<Record<string, string>>): string {
  const script = readFileSync("components/remote/scripts/prepare-node.sh", "utf8");
  const loop = /for name in HTTP_PROXY[^]*?\n {4}done/.exec(script)?.[0] ?? "";
  const input = `${shellAssignments(data)}f() { local name value; ${loop}; }; f`;
  return execFileSync("bash", ["-s"], { input, encoding: "utf8" });
}

it("writes any proxy as one value of systemd's", () => {
  const data = { http_proxy_url: 'http://a%b\\"c', https_proxy_url: "\\", no_proxy_list: "$(id)" };
  expect(environment(data)).toBe(
    [
      'Environment="HTTP_PROXY=http://a%%b\\\\\\"c"',
      'Environment="HTTPS_PROXY=\\\\"',
      'Environment="NO_PROXY=$(id)"',
      "",
    ].join("\n"),
  );
});
