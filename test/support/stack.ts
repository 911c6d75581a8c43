import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { CheckReport } from "../../automation/checks/check";
import { nameOfUrn } from "../../automation/stack/steps";
import { Cluster } from "./cluster";
import { mustRun, REPOSITORY, run, type CommandResult } from "./command";
import type { OpenStack } from "./openstack";
import type { VnfOutput } from "./outputs";
import { Project } from "./project";

interface Preview {
  readonly steps: readonly { readonly op: string; readonly urn: string }[];
}

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

interface TestStackOptions {
  readonly beside?: TestStack;
  readonly env?: Readonly<Record<string, string>>;
  readonly install?: (folder: string) => void | Promise<void>;
}

/** Links the program of this repository into a folder. */
export function linkProgram(folder: string): void {
  const program = ["Pulumi.yaml", "package.json", "tsconfig.json", "index.ts"];
  for (const entry of [...program, "components", "node_modules", "vnf-packages"]) {
    symlinkSync(join(REPOSITORY, entry), join(folder, entry));
  }
}

/**
 * A stack of the real program, for the real CLI. It has its own project in the cloud, and its own folder with a link to
 * the program, its config and its state; the state may also be next to another stack's.
 */
export class TestStack {
  /** Environment of the CLI, with the stack's backend, passphrase and cloud. */
  readonly env: Readonly<Record<string, string>>;

  private constructor(
    /** Present name: see rename. */
    public name: string,
    readonly folder: string,
    private readonly project: Project,
    private readonly beside?: TestStack,
    env: Readonly<Record<string, string>> = {},
  ) {
    this.env = beside?.env ?? {
      PULUMI_BACKEND_URL: `file://${folder}`,
      PULUMI_CONFIG_PASSPHRASE: "of a stack that lives as long as its test",
      OS_CLIENT_CONFIG_FILE: project.cloudsFile,
      OS_CLOUD: "lab",
      // most operators have not set it
      TMPDIR: "",
      ...env,
    };
  }

  /**
   * @param install writes a program into the folder. @default links the program of this repository
   * @param beside a stack whose backend, passphrase and cloud are shared; it must be removed after this one
   * @param env further variables, such as another backend than files in the stack's folder
   */
  static async create(
    name: string,
    vnfs: object,
    { beside, env, install = linkProgram }: TestStackOptions = {},
  ): Promise<TestStack> {
    const folder = mkdtempSync(join(tmpdir(), "vnfm-test-"));
    await install(folder);
    const stack = new TestStack(
      name,
      folder,
      beside?.project ?? (await Project.create(name, folder)),
      beside,
      env,
    );
    await stack.must("stack", "init", name);
    stack.configure(vnfs);
    return stack;
  }

  /** Client of the stack's project. */
  get cloud(): OpenStack {
    return this.project.cloud;
  }

  /** Writes the stack config: `vnfm:vnfs` and other keys. */
  configure(vnfs: object, others: object = {}): void {
    const file = join(this.folder, `Pulumi.${this.name}.yaml`);
    const { encryptionsalt } = parse(readFileSync(file, "utf8")) as { encryptionsalt: string };
    const config = {
      "openstack:cloud": "lab",
      "pulumi:disable-default-providers": ["kubernetes"],
      "vnfm:vnfs": vnfs,
      ...others,
    };
    writeFileSync(file, stringify({ encryptionsalt, config }));
  }

  pulumi(...args: string[]): Promise<CommandResult> {
    return this.#run(pulumi(...args));
  }

  /** Runs a command of `vnfm`. */
  vnfm(...args: string[]): Promise<CommandResult> {
    return this.#run(this.vnfmCommand(...args));
  }

  vnfmCommand(...args: string[]): Command {
    const main = join(REPOSITORY, "automation/main.ts");
    const program = [join(REPOSITORY, "node_modules/.bin/ts-node"), main, ...args, "--stack", this.name];
    return [join(REPOSITORY, "toolchain/with-engine.sh"), ...program];
  }

  /** Returns the command of `pulumi up`, which begins with a preview. */
  upCommand(...args: string[]): Command {
    return pulumi("up", "--yes", "--stack", this.name, ...args);
  }

  /** Runs `vnfm check`: returns its exit status, the number of checks, and its findings, sorted. */
  async check(): Promise<{ status: number; checks: number; found: string[] }> {
    const { status, stdout } = await this.vnfm("check", "--json");
    const { checks, findings } = JSON.parse(stdout) as CheckReport;
    const found = findings.map(({ vnfc, text }) => (vnfc === undefined ? text : `${vnfc}: ${text}`));
    return { status, checks, found: found.sort() };
  }

  /** Revokes and grants a role: see Project. */
  loseRole(name: string): Promise<void> {
    return this.project.loseRole(name);
  }

  /** See Project. */
  addCloud(name: string, other: Project): void {
    this.project.addCloud(name, other);
  }

  /** See Project. */
  changeUser(): Promise<void> {
    return this.project.changeUser();
  }

  /** See Project. */
  deleteFormerUsers(): Promise<void> {
    return this.project.deleteFormerUsers();
  }

  up(...args: string[]): Promise<CommandResult> {
    return this.#run(this.upCommand(...args));
  }

  /** Runs `up`, which must succeed. The error leaves out the stack's outputs, so that its end shows the diagnostics. */
  async mustUp(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.up(...args);
    if (status === 0) return stdout;
    const diagnostics = stdout.replace(/^Outputs:.*?(?=^Resources:)/ms, "");
    throw new Error(`pulumi up ended with ${status}:\n${stderr}\n${diagnostics}`);
  }

  /**
   * Lists the changes of a preview as `<operation> <resource name>`, sorted, without unchanged resources and reads.
   *
   * @param folder folder in which the preview runs
   */
  async changes(folder = this.folder): Promise<string[]> {
    const [program, ...args] = pulumi("preview", "--json", "--stack", this.name);
    const { steps } = JSON.parse(await mustRun(program, args, { cwd: folder, env: this.env })) as Preview;
    return steps
      .filter(({ op }) => !["same", "read"].includes(op))
      .map(({ op, urn }) => `${op} ${nameOfUrn(urn)}`)
      .sort();
  }

  async output<T>(name: string): Promise<T> {
    return JSON.parse(
      await this.must("stack", "output", name, "--json", "--show-secrets", "--stack", this.name),
    ) as T;
  }

  /** Returns a VNF instance of the output `vnfs`. */
  async vnf(instance: string): Promise<VnfOutput> {
    const { [instance]: output } = await this.output<Record<string, VnfOutput>>("vnfs");
    if (output === undefined) throw new Error(`the outputs have no ${instance}`);
    return output;
  }

  /** Returns the kubeconfig of an instance, from the outputs. */
  async kubeconfig(instance: string): Promise<string> {
    const { [instance]: kubeconfig } = await this.output<Record<string, string>>("kubeconfigs");
    if (kubeconfig === undefined) throw new Error(`the outputs have no kubeconfig of ${instance}`);
    return kubeconfig;
  }

  /** Connects to the cluster of an instance, with its kubeconfig. */
  async cluster(instance: string): Promise<Cluster> {
    return Cluster.connect(await this.kubeconfig(instance));
  }

  /** Exports the state, with encrypted secrets. */
  state(): Promise<string> {
    return this.must("stack", "export", "--stack", this.name);
  }

  async rename(name: string): Promise<void> {
    await this.must("stack", "rename", name, "--stack", this.name);
    this.name = name;
  }

  /** Destroys the stack's resources, and removes the stack. */
  async remove(): Promise<void> {
    await this.must("destroy", "--yes", "--stack", this.name);
    if (this.beside === undefined) await this.project.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a command of the CLI that must succeed. @returns its standard output */
  must(...args: string[]): Promise<string> {
    const [program, ...rest] = pulumi(...args);
    return mustRun(program, rest, { cwd: this.folder, env: this.env });
  }

  #run([program, ...args]: Command): Promise<CommandResult> {
    return run(program, args, { cwd: this.folder, env: this.env });
  }
}

function pulumi(...args: string[]): Command {
  return [join(REPOSITORY, "toolchain/pulumi.sh"), ...args, "--non-interactive"];
}
