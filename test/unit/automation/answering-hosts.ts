import { StandIns } from "../remote/stand-ins";

/** Hosts that answer by SSH, each by its own bash script, whose first argument is the question. */
export class AnsweringHosts {
  readonly #standIns = new StandIns();
  readonly #path = process.env["PATH"] ?? "";

  constructor() {
    beforeEach(() => {
      const { folder } = this.#standIns;
      this.#standIns.program(
        "ssh",
        `while [ "$1" != -- ]; do shift; done; cat >"${folder}/$2.input"; PATH=${folder}:$PATH exec sh -c "$3" <"${folder}/$2"`,
      );
      this.#standIns.program("sudo", 'shift; exec "$@"');
      process.env["PATH"] = `${folder}:${this.#path}`;
    });
    afterEach(() => (process.env["PATH"] = this.#path));
  }

  /** Path of a file with the standard input of the last script on a host. */
  inputOf(host: string): string {
    return `${this.#standIns.folder}/${host}.input`;
  }

  /** Sets the bash script by which a host answers. @returns standard input of run-script.ts for a script there */
  answer(host: string, script: string): string {
    this.#standIns.program(host, script);
    const login = { user: "debian", keys: ["key"] };
    const hostKey = "ssh-ed25519 AAAA";
    // with a jump host, nothing checks first whether the host accepts connections
    const jumpHost = { host: "jump", hostKey, login };
    return JSON.stringify({
      reach: { hosts: [{ host, hostKey }], login, jumpHost, tries: 1, seconds: 60 },
      data: {},
    });
  }
}
