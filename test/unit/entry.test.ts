/** What a `pulumi up` in the repository runs. */
import { existsSync, readFileSync } from "node:fs";
import { parse } from "yaml";

it("is index.ts, and not the package's entry, which `npm run package` leaves in dist/ and which makes nothing", () => {
  const { main } = parse(readFileSync("Pulumi.yaml", "utf8")) as { readonly main?: string };
  expect(main).toBe("index.ts");
  expect(existsSync("index.ts")).toBe(true);
});
