import { execFileSync } from "node:child_process";
import { parse } from "yaml";
import { Fault } from "../../../components/base/fault";
import { KubeApi } from "../../../components/kube/client/kube-api";
import { withGuardedPlugins } from "../../../components/kube/access/exec-plugin";
import { kubeconfig } from "../fixtures";

interface Plugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly [field: string]: unknown;
}

const withPlugin = (exec: object) =>
  JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    users: [{ name: "u", user: { exec } }],
  });

const pluginOf = (text: string) =>
  (parse(text) as { users: [{ user: { exec: Plugin } }] }).users[0].user.exec;

it("the plugin is started without what has the passphrase and the password, and with what it sets itself", () => {
  const print = "console.log(JSON.stringify([process.env, process.argv.slice(1)]))";
  const args = ["-e", print, "--", "a b", "$(false)", "it's"];
  const env = [{ name: "OS_CLOUD", value: "own" }];
  const given = { command: process.execPath, args, env, interactiveMode: "Never" };
  const plugin = pluginOf(withGuardedPlugins(withPlugin(given)));
  expect(plugin).toEqual({ ...given, command: "sh", args: expect.anything() as unknown });
  const secrets = { PULUMI_CONFIG_PASSPHRASE: "p\nOS_X=y", OS_PASSWORD: "q", OS_CLOUD: "own" };
  const others = { PATH: process.env["PATH"], HOME: "/h", PULUMI: "kept", KUBERNETES_EXEC_INFO: "{}" };
  const told = execFileSync(plugin.command, plugin.args, {
    env: { ...secrets, ...others },
    encoding: "utf8",
  });
  const [seen, words] = JSON.parse(told) as [Record<string, string>, string[]];
  delete seen["PWD"]; // of sh
  expect([seen, words]).toEqual([{ ...others, OS_CLOUD: "own" }, ["a b", "$(false)", "it's"]]);
});

it("the plugin ends as the plugin does", () => {
  const { command, args } = pluginOf(
    withGuardedPlugins(withPlugin({ command: "sh", args: ["-c", "exit 7"] })),
  );
  expect(() => execFileSync(command, args, { stdio: "ignore" })).toThrow(
    expect.objectContaining({ status: 7 }) as Error,
  );
});

it.each([
  [
    "a: !!binary aGk=\nusers: [{name: u, user: {exec: {command: sh}}}]",
    "line 1: Kubernetes does not support !!binary; write the base64 as a string",
  ],
  [
    "users:\n- name: u\n  user: {exec: {command: sh}\n",
    "line 3: the indentation is wrong, or a bracket is missing",
  ],
])("vnfm refuses what it cannot read, as plugins may be in it: %j", (text, fault) => {
  expect(() => withGuardedPlugins(text)).toThrow(
    new Fault(`the kubeconfig is not YAML that Kubernetes reads: ${fault}`),
  );
});

it("vnfm leaves a kubeconfig without plugins as it is", () => {
  expect(withGuardedPlugins(kubeconfig("a"))).toBe(kubeconfig("a"));
});

describe("our own client says what is wrong with a plugin that", () => {
  it.each([
    ["prints no JSON", "echo token", "answers with something other than JSON"],
    ["prints null", "echo null", "answers with null instead of a JSON object"],
    ["gives nothing", "echo '{\"status\": null}'", "returns neither a token nor a client certificate"],
    [
      "gives another type",
      `echo '{"status": {"token": 5}}'`,
      "returns neither a token nor a client certificate",
    ],
    ["prints without end", "echo words >&2; sleep 1; exec yes", "prints more than 1 MiB: words"],
    ["fails", "echo words >&2; exit 3", "failed (3): words"],
    ["is not there", undefined, "failed (ENOENT): "],
  ])("%s", async (_, script, why) => {
    const exec = { command: script === undefined ? "./none" : "sh", args: ["-c", script ?? ""] };
    const api = new KubeApi({ cluster: { server: "https://127.0.0.1:1" }, user: { exec } });
    await expect(api.get("/version")).rejects.toThrow(
      new Error(`the kubeconfig's exec plugin ${exec.command} ${why}`),
    );
  });
});
