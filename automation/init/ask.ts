import type { Vdu } from "../../components/vnfd/model";
import {
  chosen,
  defaultFlavor,
  defaultImage,
  defaultManagementCidr,
  defaultNetwork,
  choiceName,
  networksFor,
  readCidr,
  usernameOf,
  type Choices,
  type NodeNetwork,
} from "./choices";
import type { CloudOffer, OfferedFlavor, OfferedImage, OfferedNetwork } from "./offer";
import type { Answer } from "./questions";

/** The answer that requests a new network. */
const NEW = "new";

/** The VDUs of the package for nodes, with their requirements. */
export interface NodeVdus {
  readonly master: Vdu;
  readonly worker: Vdu;
}

/**
 * Prompts for all choices of a first cluster.
 * @param ownAddress returns this machine's address on the way to a host
 * @param cloudHost host of the cloud's Keystone
 * @throws UsageFault if the cloud does not have a requested resource
 */
export async function chooseAll(
  offer: CloudOffer,
  { master, worker }: NodeVdus,
  answer: Answer,
  ownAddress: (host: string) => Promise<string | undefined>,
  cloudHost: string,
): Promise<Choices> {
  const network = await chooseNetwork(offer, answer);
  const image = await chooseImage(offer.images, master, answer);
  const masterFlavor = await chooseFlavor(
    "master-flavor",
    "flavor of the control-plane node",
    offer.flavors,
    master,
    answer,
  );
  const workerFlavor = await chooseFlavor(
    "worker-flavor",
    "flavor of the workers",
    offer.flavors,
    worker,
    answer,
  );
  const reached = "existing" in network ? network.existing : network.externalNetwork;
  const { subnets } = chosen("network", "network", reached, offer.networks);
  const own = await ownAddress(subnets.find(({ gateway }) => gateway !== undefined)?.gateway ?? cloudHost);
  const managementCidr = await answer({
    option: "management-cidr",
    asks: "CIDR that may connect to the nodes",
    offers: [],
    fallback: defaultManagementCidr(
      own,
      subnets.map(({ cidr }) => cidr),
    ),
    read: (text) => readCidr("--management-cidr", text),
  });
  return {
    network,
    image: choiceName(image, offer.images),
    username: usernameOf(image),
    masterFlavor: choiceName(masterFlavor, offer.flavors),
    workerFlavor: choiceName(workerFlavor, offer.flavors),
    managementCidr,
  };
}

async function chooseNetwork(offer: CloudOffer, answer: Answer): Promise<NodeNetwork> {
  const usable = networksFor(offer, "isUsable");
  const external = networksFor(offer, "isExternal");
  const byDefault = defaultNetwork(offer.networks);
  const isNew = byDefault !== undefined && "externalNetwork" in byDefault;
  const existing = await answer({
    option: "network",
    asks: "network of the nodes",
    offers: [
      ...usable.map((network) => describeNetwork(network, usable)),
      ...(external.length > 0 ? [`${NEW}: created, with a router and a floating IP`] : []),
    ],
    fallback: isNew ? NEW : byDefault?.existing,
    read: (text) =>
      text === NEW && external.length > 0
        ? NEW
        : choiceName(chosen("--network", "network", text, usable), usable),
  });
  if (existing !== NEW) return { existing };
  const externalNetwork = await answer({
    option: "external-network",
    asks: "external network of the router and of the floating IP",
    offers: external.map((network) => describeNetwork(network, external)),
    fallback: external[0] && choiceName(external[0], external),
    read: (text) => choiceName(chosen("--external-network", "external network", text, external), external),
  });
  return { externalNetwork };
}

function describeNetwork(network: OfferedNetwork, all: readonly OfferedNetwork[]): string {
  const subnets = network.subnets.map(({ cidr }) => cidr).join(", ");
  return `${choiceName(network, all)}${subnets === "" ? "" : `: ${subnets}`}${network.isExternal ? ", external" : ""}`;
}

function chooseImage(images: readonly OfferedImage[], master: Vdu, answer: Answer): Promise<OfferedImage> {
  const fallback = defaultImage(images, master);
  return answer({
    option: "node-image",
    asks: "image of the nodes, with containerd, kubeadm and kubelet",
    offers: images.map((image) => choiceName(image, images)),
    fallback: fallback && choiceName(fallback, images),
    read: (text) => chosen("--node-image", "image", text, images),
  });
}

function chooseFlavor(
  option: string,
  asks: string,
  flavors: readonly OfferedFlavor[],
  vdu: Vdu,
  answer: Answer,
): Promise<OfferedFlavor> {
  const fallback = defaultFlavor(flavors, vdu);
  return answer({
    ...{ option, asks },
    offers: flavors.map((flavor) => {
      const { vcpus, ramMiB, diskGiB } = flavor;
      return `${choiceName(flavor, flavors)}: ${vcpus} vCPUs, ${ramMiB} MiB, ${diskGiB} GiB`;
    }),
    fallback: fallback && choiceName(fallback, flavors),
    read: (text) => chosen(`--${option}`, "flavor", text, flavors),
  });
}
