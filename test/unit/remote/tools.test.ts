/** The part of prepare-node.sh about the tools that a node must have, with no other programs than those of a folder. */
import { rmSync } from "node:fs";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const told = () => standIns.log().split("\n").filter(Boolean);

/** @param failing what systemctl fails with */
function tools(failing = "nothing"): string | undefined {
  standIns.program(
    "systemctl",
    `echo "$*" >>${standIns.at("told")}; [ "$*" != "${failing}" ] || { echo "words of $*" >&2; exit 1; }`,
  );
  // what this machine has is not found
  return standIns.run(
    "prepare-node.sh",
    "tools",
    {},
    { ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin": "" },
  );
}

const TOOLS = ["containerd", "kubelet", "kubeadm", "kubectl"];

beforeEach(() => {
  for (const name of [...TOOLS, "flock"]) standIns.program(name, "exit 0");
  standIns.program("hostname", "echo node-1");
});

it("the script starts containerd, and the kubelet at boot, where all tools are there", () => {
  expect(tools()).toBeUndefined();
  expect(told()).toEqual(["enable -q --now containerd", "enable -q kubelet"]);
});

it.each(TOOLS)("the script says that %s is missing, and starts nothing", (tool) => {
  rmSync(standIns.at(tool));
  expect(tools()).toBe(
    `node-1: ${tool} is not installed: use an image, an apt_repository or a script_path that installs it\n`,
  );
  expect(told()).toEqual([]);
});

it.each(["enable -q --now containerd", "enable -q kubelet"])(
  "the script fails where systemctl %s does",
  (command) => {
    expect(tools(command)).toBe(`words of ${command}\n`);
    expect(told().at(-1)).toBe(command);
  },
);
