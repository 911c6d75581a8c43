import { jsonData } from "../../components/base/json";
import { Fault } from "../fault";
import { pulumi } from "../stack/cli";
import type { PulumiStack } from "../stack/pulumi";
import { nameOf, type State } from "../stack/state";
import type { Inventory } from "./inventory";

/** A stack of the backend. Some backends do not know the count. */
interface ListedStack {
  readonly name: string;
  readonly resourceCount?: number;
}

/** @throws Fault if the state of another stack in the backend has something that was found */
export async function assertOfNobody(
  { folder, name: own, qualifiedName }: PulumiStack,
  inventory: Inventory,
): Promise<void> {
  const list = await pulumi(folder, ["stack", "ls", "--all", "--json"]);
  for (const { name, resourceCount } of jsonData(list, "the list of stacks") as readonly ListedStack[]) {
    if (resourceCount === 0 || [own, qualifiedName].includes(name)) continue;
    const exported = await pulumi(folder, ["stack", "export", "--stack", name]);
    const { resources = [] } = (jsonData(exported, `the state of ${name}`) as State).deployment;
    const shared = resources.find(({ type, id }) => inventory.has(type, id));
    if (shared !== undefined)
      throw new Fault(`${nameOf(shared)} ${shared.id} belongs to stack ${name}. Nothing was changed`);
  }
}
