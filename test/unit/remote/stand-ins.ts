import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Programs that answer a script as those of a server would, and a file `told` of what they note; new for each test. */
export class StandIns {
  folder = "";

  constructor() {
    beforeEach(() => (this.folder = mkdtempSync(join(tmpdir(), "vnfm-stand-ins-"))));
    afterEach(() => rmSync(this.folder, { recursive: true }));
  }

  /** @param text of a bash script */
  program(name: string, text: string): void {
    const file = join(this.folder, name);
    writeFileSync(file, `#!/bin/bash\n${text}`);
    chmodSync(file, 0o755);
  }

  /** What the programs have noted; empty for nothing. */
  told(): string {
    const file = join(this.folder, "told");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }
}
