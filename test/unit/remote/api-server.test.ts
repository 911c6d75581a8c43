/** How the files of an API server change, and in which order the keys of its encryption do. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { encryptionConfiguration } from "../../../components/kube/cluster/encryption";
import { fileLines } from "../../../components/render/file-lines";
import { Secret } from "../../../components/base/secret";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const [OLD, NEW] = ["O", "N"].map((letter) => Buffer.from(letter.repeat(32)).toString("base64")) as [
  string,
  string,
];
const configuration = (...keys: string[]) => encryptionConfiguration(keys.map((key) => new Secret(key)));
const nameOf = (key: string) => /name: (key-\w+)/.exec(configuration(key))?.[1] ?? "";
const ENCRYPTION = "etc/kubernetes/encryption.yaml";
const POLICY = { path: "/etc/kubernetes/audit-policy.yaml", permissions: "0600", content: "rules: []\n" };

beforeEach(() => {
  mkdirSync(standIns.at("etc/kubernetes/manifests"), { recursive: true });
  writeFileSync(standIns.at("etc/kubernetes/manifests/kube-apiserver.yaml"), "kind: Pod\n");
  // an etcd with two Secrets, each encrypted with the key that a file names
  mkdirSync(standIns.at("secrets"));
  standIns.program(
    "kubectl",
    `case "$*" in
      *"get nodes"*) echo node/m1 ;;
      *"endpoint health"*) ;;
      *"etcdctl"*) for secret in kube-system/vnfm-token web/password; do
          printf '/registry/secrets/%s\\nk8s:enc:secretbox:v1:%s:\\0\\1\\n' "$secret" "$(cat "${standIns.folder}/secrets/\${secret%%/*}")"
        done ;;
      *"get secret"*) printf '%s' "$2" ;;
      *replace*) namespace=$(cat); echo "replace $namespace" >>${standIns.folder}/told
        sed -n 's/.*name: //p' ${standIns.at(ENCRYPTION)} | head -n 1 >"${standIns.folder}/secrets/$namespace" ;;
      *"annotate --local"*) for last; do [[ $last != vnfm/files=* ]] || value=\${last#*=}; done
        echo restart >>${standIns.folder}/told
        echo "$value" >${standIns.folder}/value; printf 'kind: Pod\\n  vnfm/files: "%s"\\n' "$value" ;;
      *"get pod "*) printf '%s True' "$(cat ${standIns.folder}/value)" ;;
    esac`,
  );
});

const encryptedWith = (key: string) => {
  for (const namespace of ["kube-system", "web"])
    writeFileSync(standIns.at(`secrets/${namespace}`), nameOf(key));
};
const has = (...keys: string[]) => writeFileSync(standIns.at(ENCRYPTION), configuration(...keys));
const present = () => readFileSync(standIns.at(ENCRYPTION), "utf8");

/** @returns what the script said where it failed */
const run = (step: string, keys: readonly string[], files: readonly (typeof POLICY)[] = []) =>
  standIns.run(
    "api-server.sh",
    "create",
    {
      ...{ node_name: "m1", step },
      files: fileLines(files.map((file) => ({ ...file, path: standIns.at(file.path.slice(1)) }))),
      encryption_config: keys.length === 0 ? "" : configuration(...keys).trimEnd(),
    },
    { "within 300": "within 1" },
  );

test("a new key decrypts first, then encrypts, and the former one goes when it has encrypted nothing", () => {
  has(OLD);
  encryptedWith(OLD);
  expect(run("know", [NEW])).toBeUndefined();
  expect(present()).toBe(configuration(OLD, NEW));
  expect(run("use", [NEW])).toBeUndefined();
  expect(present()).toBe(configuration(NEW, OLD));
  expect(standIns.log()).toBe("restart\nrestart\n");
  expect(run("forget", [NEW])).toBeUndefined();
  expect(present()).toBe(configuration(NEW));
  expect(standIns.log()).toBe("restart\nrestart\nreplace kube-system\nreplace web\nrestart\n");
});

test("each step that was done before does nothing, on a master that joined since too", () => {
  has(NEW);
  encryptedWith(NEW);
  for (const step of ["know", "use", "forget"]) expect(run(step, [NEW])).toBeUndefined();
  expect(present()).toBe(configuration(NEW));
  expect(standIns.log()).toBe("");
});

test("the former key stays where etcd cannot be read, or where it has not what it always has", () => {
  has(NEW, OLD);
  encryptedWith(OLD);
  standIns.program("kubectl", "exit 1");
  expect(run("forget", [NEW])).toContain("so the former keys stay");
  standIns.program("kubectl", `case "$*" in *"get nodes"*) echo node/m1 ;; esac`);
  expect(run("forget", [NEW])).toContain("so the former keys stay");
  expect(present()).toBe(configuration(NEW, OLD));
});

test("a key that was put in front of others leaves these where they are", () => {
  has(OLD);
  encryptedWith(OLD);
  for (const step of ["know", "use", "forget"]) expect(run(step, [NEW, OLD])).toBeUndefined();
  expect(present()).toBe(configuration(NEW, OLD));
});

test("another policy starts the API server anew, in the run after one that was cut off too", () => {
  expect(run("know", [], [POLICY])).toBeUndefined();
  expect(readFileSync(standIns.at("etc/kubernetes/audit-policy.yaml"), "utf8")).toBe("rules: []\n");
  expect(run("know", [], [POLICY])).toBeUndefined();
  expect(standIns.log()).toBe("restart\n");
  writeFileSync(standIns.at("vnfm-api-server-due"), "");
  const due = standIns.at("vnfm-api-server-due");
  expect(existsSync(due)).toBe(true);
  writeFileSync(standIns.at("etc/kubernetes/manifests/kube-apiserver.yaml"), "kind: Pod\n");
  expect(run("know", [], [POLICY])).toBeUndefined();
  expect(standIns.log()).toBe("restart\nrestart\n");
  expect(existsSync(due)).toBe(false);
});
