import { execFileSync } from "node:child_process";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();

it("apt gets packages through the proxy, but not those of a mirror in no_proxy", () => {
  standIns.program("apt-get", 'echo "$* $http_proxy $https_proxy $no_proxy" >>"${0%/*}/told"');
  const data = {
    http_proxy_url: "http://proxy:3128",
    https_proxy_url: "http://proxy:3129",
    no_proxy_list: "mirror,::1",
  };
  const text = scriptText("prepare-node.sh").replace(
    /exclusively\n"\$1".*/,
    "needs no-such-command a-package",
  );
  execFileSync("bash", ["-s"], {
    input: `${shellAssignments(data)}${text.replace("PATH=/", `PATH=${standIns.folder}:/`)}`,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const through = "http://proxy:3128 http://proxy:3129 mirror,::1";
  expect(standIns.log().trimEnd().split("\n")).toEqual([
    expect.stringContaining(` update ${through}`),
    expect.stringContaining(` install --no-install-recommends a-package ${through}`),
  ]);
});
