import { execFileSync } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** An issuer of OpenID Connect tokens, with TLS by a CA of its own. */
export class OidcIssuer {
  readonly #key = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly #server: Server;

  private constructor(
    private readonly address: string,
    readonly certificate: string,
    key: string,
  ) {
    this.#server = createServer({ cert: certificate, key }, ({ url }, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(url === "/keys" ? this.#keys() : this.#configuration()));
    });
  }

  /** @param folder for its files, which does not exist */
  static async start(folder: string, address: string): Promise<OidcIssuer> {
    mkdirSync(folder);
    const [certificate, key] = [join(folder, "ca.crt"), join(folder, "ca.key")];
    const subject = ["-subj", "/CN=issuer", "-addext", `subjectAltName=IP:${address}`];
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", key, "-out", certificate], {
      stdio: "ignore",
    });
    const issuer = new OidcIssuer(address, readFileSync(certificate, "utf8"), readFileSync(key, "utf8"));
    await once(issuer.#server.listen(0, address), "listening");
    return issuer;
  }

  get url(): string {
    return `https://${this.address}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A token for a client, valid for an hour. */
  token(client: string, claims: object): string {
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.url, aud: client, iat: now, exp: now + 3600, ...claims };
    const text = [{ alg: "RS256", typ: "JWT", kid: "1" }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${text}.${sign("sha256", Buffer.from(text), this.#key.privateKey).toString("base64url")}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #configuration(): object {
    return {
      ...{ issuer: this.url, jwks_uri: `${this.url}/keys` },
      ...{ response_types_supported: ["id_token"], subject_types_supported: ["public"] },
      id_token_signing_alg_values_supported: ["RS256"],
    };
  }

  #keys(): object {
    const key = this.#key.publicKey.export({ format: "jwk" });
    return { keys: [{ ...key, kid: "1", use: "sig", alg: "RS256" }] };
  }
}
