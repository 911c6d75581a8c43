import { planOf } from "../../support/planned";
import fc from "fast-check";
import { SettingsFault } from "../../../components/base/settings-fault";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { haStorageVnf } from "../../support/configs";
import { fuzz } from "../../support/fuzz";
import { some } from "../../support/runs";
import { checkArtefacts, readBack } from "./artefacts";
import { clusterAndCnfs, highlyAvailableClusters } from "./full-configs";
import { configWith, INSTALLATION as K } from "./support";
import { settingsFault } from "../places";

/** Texts that would do something where they are taken for code. Each has `pwned` in it. */
const HOSTILE = [
  "'; touch /tmp/pwned; '",
  '"; touch /tmp/pwned; "',
  "$(touch /tmp/pwned)",
  "`touch /tmp/pwned`",
  "${pwned:?}",
  "${POD_CIDR}pwned",
  "@CERTIFICATE_KEY@pwned",
  "pwned\n---\nkind: Evil",
  "pwned\nExecStartPre=/bin/touch /tmp/pwned",
  "pwned\0",
  "pwned\u001b[2J",
  "pwned\u2028next",
  "pwned\u202egpj",
  "--- # pwned",
  "&pwned *pwned",
  "!!js/function pwned",
  "{{ pwned }}: [",
  "pwned: value",
  "%pwned%s%n",
  "-pwned --flag",
  "../../../pwned",
  "/pwned",
  "\\pwned\\",
  'pwned\\" X=\\"',
  "pẃnéd-ünïcödé-🙂 pwned",
  "pwned".repeat(2000),
  "__proto__",
  "constructor",
];

/** What would do something at the end of a text that is right. */
const ENDS = [" pwned", "'pwned'", '"; } pwned', "\npwned", "$(pwned)", "/../pwned", ")pwned("];

const HOSTILE_KEYS = [
  "$(pwned)",
  "a\nb",
  "\0",
  "a/b~c",
  "0",
  "",
  "pwned".repeat(2000),
  "__proto__",
  "constructor",
];

/** Values of every wrong type. */
const WRONG = [null, 1e300, "", [], ["pwned"], { pwned: "pwned" }];

const SECRETS = ["password", "private_key", "kubeconfig", "http_proxy", "https_proxy"];

type Path = readonly string[];

/** The places of a config: leaves, and the maps and lists that they are in. */
function placesIn(value: unknown, path: Path = []): { leaves: Path[]; maps: Path[] } {
  if (typeof value !== "object" || value === null) return { leaves: [path], maps: [] };
  const inner = Object.entries(value).map(([key, item]) => placesIn(item, [...path, key]));
  return {
    leaves: inner.flatMap(({ leaves }) => leaves),
    maps: [path, ...inner.flatMap(({ maps }) => maps)],
  };
}

/** The config with another value at a place; undefined removes it. */
function changed(config: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const entries = Object.entries(config as object).filter(([name]) => name !== key || value !== undefined);
  const result = new Map<string, unknown>(entries);
  if (rest.length > 0) result.set(key, changed(result.get(key) ?? {}, rest, value));
  else if (value !== undefined) result.set(key, value);
  return Array.isArray(config) ? [...result.values()] : Object.fromEntries(result);
}

/** The same, or the config as it is where an earlier change has put something else in the place of a map on the way. */
function changedIfThere(config: unknown, path: Path, value: unknown): unknown {
  const isThere = path.every((_, i) => {
    const inner = at(config, path.slice(0, i));
    return typeof inner === "object" && inner !== null;
  });
  return isThere ? changed(config, path, value) : config;
}

/** Either faults that an operator can read, or plans that carry each text as data. */
function check(config: unknown, secrets: readonly string[] = []): void {
  try {
    checkArtefacts(planOf(config));
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    expect(error.faults.filter((fault) => !/^(vnfm:vnfs|VNF package )/.test(fault))).toEqual([]);
    const text = error.faults.join("\n  ");
    expect(text).not.toMatch(/\n\s+at |TypeError|\[object|s3cret/);
    // a fault of a package has lines
    expect(text.replaceAll("\n  ", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
}

const isSecret = (path: Path) => SECRETS.includes(path.at(-1) ?? "");

/**
 * Returns true if a place is the first one of its setting, in whatever instance or entry of a list: others cost time.
 */
function firstOfSetting(): (path: Path) => boolean {
  const settings = new Set<string>();
  return (path) => {
    const setting = path.map((key, i) => (i === 0 || /^\d+$/.test(key) ? "*" : key)).join(".");
    const before = settings.size;
    return settings.add(setting).size > before;
  };
}

const isNewLeaf = firstOfSetting();
const isNewMap = firstOfSetting();

describe.each([
  ["a cluster and CNFs", clusterAndCnfs()],
  ["highly available clusters", highlyAvailableClusters()],
])("%s", (_, config) => {
  const places = placesIn(config);
  const leaves = places.leaves.filter(isNewLeaf);
  const maps = places.maps.filter(isNewMap);

  /** The instance that a place is in, and the cluster that it lands on: the others cost time. */
  const alone = ([instance]: Path): unknown => {
    if (instance === undefined) return config;
    const vim = at(config, [instance, "vim"]);
    const cluster = typeof vim === "string" ? { [vim]: config[vim] } : {};
    return { ...cluster, [instance]: config[instance] };
  };

  it("begin with a config that is valid", () => {
    // addons of a cluster are instances as well
    expect(planOf(config).map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(config)));
    expect(leaves.length).toBeGreaterThan(30);
  });

  it.each(leaves.map((path, index) => [path.join("."), path, index] as const))(
    "take any text at %s as data",
    (_, path, index) => {
      const texts = [...HOSTILE, ...ENDS.map((end) => `${String(at(config, path))}${end}`)];
      for (const text of some(texts, 5, index))
        check(changed(alone(path), path, text), isSecret(path) ? ["pwned"] : []);
    },
  );

  it("refuse or take any value of another type, and a setting that is missing", () => {
    for (const [index, path] of [...leaves, ...maps].entries()) {
      for (const value of some([...WRONG, undefined], 3, index)) {
        check(changed(alone(path), path, value), isSecret(path) ? ["pwned"] : []);
      }
    }
  });

  it("refuse or take any key in any map", () => {
    for (const [index, path] of maps.entries()) {
      for (const key of some(HOSTILE_KEYS, 3, index)) check(changed(alone(path), [...path, key], "pwned"));
    }
  });

  it("refuse or take any few changes together", () => {
    // fast-check's own unit for it, binary, first builds a table of all 1.1 million
    const character = fc.integer({ max: 0x10ffff, min: 0 }).map((point) => String.fromCodePoint(point));
    const change = fc.record({
      path: fc.constantFrom(...places.leaves, ...places.maps),
      value: fc.oneof(
        fc.constantFrom<unknown>(...HOSTILE, ...WRONG),
        fc.string({ unit: character }),
        fc.jsonValue(),
      ),
    });
    fuzz(
      fc.property(fc.array(change, { minLength: 2, maxLength: 4 }), (changes) => {
        check(
          changes.reduce<unknown>((result, { path, value }) => changedIfThere(result, path, value), config),
        );
      }),
      { seed: 20261121, numRuns: 100 },
    );
  });
});

it("the parser refuses or takes any few changes of a cluster template and a cluster by it", () => {
  const config = {
    templates: { kube: clusterTemplate() },
    vnfs: { management: clusterAndCnfs()["vnf-a"], tenant: templateCluster({ vim: "management" }) },
  };
  const places = [
    ...["templates", "vnfs.tenant"].flatMap((path) => {
      const { leaves, maps } = placesIn(at(config, path.split(".")), path.split("."));
      return [...leaves, ...maps];
    }),
    ["vnfs", "tenant.a"],
  ];
  const change = fc.record({
    path: fc.constantFrom(...places),
    key: fc.option(fc.constantFrom(...HOSTILE_KEYS, "heal", "addons", "credential"), { nil: undefined }),
    value: fc.oneof(
      fc.constantFrom<unknown>(...HOSTILE, ...WRONG, { clusterTemplate: "kube" }),
      fc.jsonValue(),
    ),
  });
  fuzz(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const { vnfs, templates } = changes.reduce<unknown>(
        (result, { path, key, value }) =>
          changedIfThere(result, key === undefined ? path : [...path, key], value),
        config,
      ) as Readonly<Record<string, unknown>>;
      try {
        planOf(vnfs, {}, templates);
      } catch (error) {
        expect(error).toBeInstanceOf(SettingsFault);
      }
    }),
    { numRuns: 200 },
  );
});

it("the parser refuses maps and lists in one another without end", () => {
  const deep = JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) as unknown;
  expect(() => planOf({ "vnf-a": { package: deep } })).toThrow(
    settingsFault("vnfm:vnfs: has more than 100 nested maps and lists"),
  );
});

it("the parser takes any text as the directory of a volume, and of what is exported of it, as data", () => {
  for (const text of [...HOSTILE, ...ENDS]) {
    const changes = {
      [`${K}.storage_server.cinder_volume_setup_params[0].mount_to`]: `/v${text}`,
      [`${K}.storage_server.nfs_server_setup_params`]: [
        { export_dir: `/v${text}/a`, export_to: "198.19.0.0/24" },
      ],
      [`${K}.pv_registration_params`]: undefined,
    };
    check(configWith(changes, { "vnf-a": haStorageVnf(3, 1) }));
  }
});

it("the parser gives every text to the shell as it is", () => {
  readBack();
});

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | null)?.[key] ?? null,
    value,
  );
}
