import type { NodeFeature } from "./model";

/** Folder of the site's own CAs in Debian and its descendants. */
export const TRUSTED = "/usr/local/share/ca-certificates";

/** CAs that every program on a node trusts. */
export const trustedCertificates: NodeFeature = ({ trustedCertificates: all }) => ({
  trusted: all.map((content, i) => ({
    path: `${TRUSTED}/vnfm-${i + 1}.crt`,
    permissions: "0644",
    content,
  })),
});
