import { command } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { READING } from "../command-line/options";
import { openPulumiStack } from "../command-line/stack";
import { show, writeJson } from "../command-line/terminal";
import { fetchedBy, type Fetched } from "../stack/images";

export const imagesCommand = command({
  name: "images",
  summary:
    "lists the images, charts and repositories that the stack config uses, for mirrors of air-gapped sites",
  details: `not listed: images used by charts ('helm template' shows them), and images that kubeadm pulls
('kubeadm config images list --kubernetes-version VERSION')`,
  examples: ["images", "images --json"],
  operands: {},
  options: READING,
  run: async ({ stack, json }) => {
    const images = fetchedBy(await (await openPulumiStack(stack)).settings());
    if (json) writeJson(images);
    else show(images.map(describeFetched));
    return EXIT.done;
  },
});

function describeFetched({ kind, name, digest, vnfs }: Fetched): string {
  return `${kind.padEnd(10)} ${name}${digest === undefined ? "" : ` ${digest}`} (${vnfs.join(", ")})`;
}
