import { expiryOf } from "../base/expiry";
import { Findings, type Finding } from "../base/findings";
import { kubeconfigExpiry } from "../kube/access/kubeconfig-expiry";
import { keyringExpiry } from "../base/keys/openpgp-expiry";
import { own } from "../base/own";
import type { FormerOutputs } from "./former-outputs";
import { credentialOf, credentialPlace } from "./credential";
import { INSTALLATION } from "./kubeadm/installation";
import { clusterOf, isWorkload, type InstancePlan } from "./model";

/** A credential or certificate with an expiry, before which it must be renewed. */
export interface Expiring {
  readonly finding: Finding;
  /** True if it has expired: a run would fail. */
  readonly isFault: boolean;
}

/**
 * Warnings about credentials that have expired, or expire within 30 days: application credentials, kubeconfigs and apt
 * keys in the settings, and the certificates of control-plane nodes according to the last run.
 * @param now in milliseconds since the epoch
 */
export function expiries(
  plans: readonly InstancePlan[],
  former: FormerOutputs,
  now: number,
): readonly Expiring[] {
  return plans.flatMap((plan) => [
    ...ofCredential(plan, now),
    ...ofVim(plan, now),
    ...ofAptKey(plan, now),
    ...ofCertificates(plan, former, now),
  ]);
}

/** The warning about an application credential. Undefined: it is valid for longer. */
export function credentialEnd(
  expiresAt: string | undefined,
  now: number,
): { readonly hasEnded: boolean; readonly text: string } | undefined {
  const end = expiryOf(expiresAt, now);
  return (
    end && {
      ...end,
      text: `${end.text}, and the cluster's controllers then lose access to the cloud; set a later time, which creates another credential`,
    }
  );
}

/**
 * The warning about certificates of a cluster's control-plane nodes. @param expiresAt first expiry by kind of
 * certificate
 */
export function certificateEnds(
  instance: string,
  { expiresAt, caExpiresAt }: { readonly expiresAt?: string; readonly caExpiresAt?: string },
  now: number,
): readonly string[] {
  const [end, ofCa] = [expiresAt, caExpiresAt].map((one) => expiryOf(one, now));
  const rotate = `'vnfm rotate ${instance} certificates'`;
  const first =
    "run 'kubeadm certs renew all' on each control-plane node and restart its control plane, then";
  return [
    ...(end === undefined
      ? []
      : [
          `kubeadm's certificates: ${end.text}, and the Kubernetes API then stops working; ` +
            (end.hasEnded ? `${first} ${rotate}` : `${rotate} renews them`),
        ]),
    ...(ofCa === undefined
      ? []
      : [
          `the CA: ${ofCa.text}, and all access to the cluster then ends; no rotation renews a CA, so re-create the cluster ` +
            `('vnfm heal ${instance} all'), or create another one`,
        ]),
  ];
}

/** The warning about a kubeconfig. Undefined: it is valid for longer. */
export function kubeconfigEnd(
  kubeconfig: string,
  now: number,
): { readonly hasEnded: boolean; readonly text: string } | undefined {
  const end = expiryOf(kubeconfigExpiry(kubeconfig), now);
  return end && { ...end, text: `${end.text}, and all access to the cluster then ends` };
}

/** The warning about the keys of an apt repository, in base64. Undefined: they are valid for longer. */
export function aptKeyEnd(keys: string, now: number): string | undefined {
  const end = expiryOf(keyringExpiry(Buffer.from(keys, "base64")), now);
  return (
    end &&
    `${end.text}, and new nodes then cannot install packages; set the repository's current key, which is copied to all nodes`
  );
}

function ofCredential(plan: InstancePlan, now: number): Expiring[] {
  const end = credentialEnd(credentialOf(plan)?.expiresAt, now);
  if (end === undefined) return [];
  return [{ finding: credentialPlace(plan).get("expiresAt").finding(end.text), isFault: end.hasEnded }];
}

function ofVim(plan: InstancePlan, now: number): Expiring[] {
  if (!isWorkload(plan) || plan.on.kind !== "kubeconfig") return [];
  const end = kubeconfigEnd(plan.on.kubeconfig.reveal(), now);
  if (end === undefined) return [];
  const place = new Findings().instance(plan.name).get("vim", "kubeconfig");
  return [{ finding: place.finding(`${end.text}; use one with a later end`), isFault: end.hasEnded }];
}

function ofAptKey(plan: InstancePlan, now: number): Expiring[] {
  const repository = clusterOf(plan)?.aptRepository;
  const text = repository && aptKeyEnd(repository.signedBy, now);
  if (text === undefined) return [];
  const place = new Findings().instance(plan.name).get(...INSTALLATION, "apt_repository", "signed_by");
  return [{ finding: place.finding(text), isFault: false }];
}

/** Warnings about certificates. Expired ones are no error, as a run renews them. */
function ofCertificates(plan: InstancePlan, former: FormerOutputs, now: number): Expiring[] {
  const { certificates } = own(former, plan.name) ?? {};
  if (plan.kind !== "kubeadm" || certificates === undefined) return [];
  const place = new Findings().instance(plan.name);
  return certificateEnds(plan.name, certificates, now).map((text) => ({
    finding: place.finding(text),
    isFault: false,
  }));
}
