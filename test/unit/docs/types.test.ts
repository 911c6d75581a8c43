import { readFileSync } from "node:fs";
import { join } from "node:path";
import { types } from "../../../docs/generate-types";
import { REPOSITORY } from "../../support/command";

it("components/settings/schema-types.ts is what `npx ts-node docs/generate-types.ts` writes", async () => {
  const file = join(REPOSITORY, "components/settings/schema-types.ts");
  expect(readFileSync(file, "utf8")).toBe(await types());
});
