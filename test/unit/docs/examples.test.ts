/** Stack configs on the pages can be pasted: each is valid, and is planned for a cloud that is not the lab. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { filesOf } from "../../../components/gather/project-files";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { REPOSITORY } from "../../support/command";

type Vnfs = Readonly<
  Record<string, { readonly package?: string; readonly images?: object; readonly flavors?: object }>
>;

/** Charts, templates and encrypted values need more than the page has; a fragment says that it is one. */
const IS_INCOMPLETE = /^# fragment|clusterTemplate|addons:|using_helm_install_param|secure:|<|\.\.\./m;

/** Returns the instances of an example; undefined for YAML of another kind. */
function vnfsOf(block: string): Vnfs | undefined {
  const document = parse(block) as Record<string, unknown> | null;
  if (document === null || typeof document !== "object") return undefined;
  const config = (document["config"] ?? document) as Record<string, unknown>;
  const vnfs = (config["vnfm:vnfs"] ?? config) as Vnfs;
  const isVnfs = Object.values(vnfs).every((one) => typeof one === "object" && one?.package !== undefined);
  return isVnfs ? vnfs : undefined;
}

const pages = ["README.md", ...readdirSync(join(REPOSITORY, "docs")).map((name) => `docs/${name}`)];
const examples = pages
  .filter((page) => page.endsWith(".md"))
  .flatMap((page) => {
    const blocks = readFileSync(join(REPOSITORY, page), "utf8").matchAll(/^```yaml\n([^]*?)^```/gm);
    return [...blocks].flatMap(([, block = ""]) => {
      const vnfs = IS_INCOMPLETE.test(block) ? undefined : vnfsOf(block);
      // a CNF by itself names the cluster of another example
      return vnfs?.["vnf-a"] === undefined ? [] : [[page, vnfs] as const];
    });
  });

it("the pages about clusters have an example each", () => {
  expect(examples.map(([page]) => page)).toEqual(
    expect.arrayContaining([
      "README.md",
      "docs/instantiate-a-cluster.md",
      "docs/high-availability.md",
      "docs/storage.md",
      "docs/tenant-networks.md",
      "docs/worker-pools.md",
    ]),
  );
});

describe.each(examples)("a stack config of %s", (_, vnfs) => {
  it("is planned", () => {
    const { settings } = parseSettings(vnfs);
    const plans = planStack(settings, filesOf(REPOSITORY));
    expect(plans.map(({ name }) => name)).toEqual(Object.keys(vnfs));
  });

  it("names images and flavors of a cluster, as those of the package are in the lab only", () => {
    const clusters = Object.values(vnfs).filter((vnf) => /-cluster$/.test(vnf.package ?? ""));
    expect(clusters.filter(({ images, flavors }) => images === undefined || flavors === undefined)).toEqual(
      [],
    );
  });
});
