import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { takeValues } from './file-commands.js';
import { type EventName, runnerEnv } from './runner-env.js';

const ACTION = fileURLToPath(new URL('../../', import.meta.url));
const FILES = ['GITHUB_OUTPUT', 'GITHUB_STATE', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY'] as const;

interface Manifest {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly runs: { readonly using: string; readonly main: string; readonly post: string };
}

/** action.yml, as the runner reads it. */
export const manifest: Manifest = parse(await readFile(join(ACTION, 'action.yml'), 'utf8'));

/** How a stage of a step ended. */
export interface Ended {
  readonly exit: number | null;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
}

export interface Step {
  readonly child: ChildProcess;
  /** Resolves when the log holds the text. */
  readonly said: (text: string) => Promise<void>;
  readonly ended: Promise<Ended>;
}

type JobStatus = 'success' | 'failure' | 'cancelled';
type With = Readonly<Record<string, string>>;

/** A default of action.yml with the expressions that it uses. */
const filledIn = (text: string, status: JobStatus): string =>
  text
    .replace(
      /\$\{\{ job\.status == 'success' && 'success' \|\| 'failure' \}\}/,
      status === 'success' ? 'success' : 'failure',
    )
    .replace(/\$\{\{ job\.status \}\}/, status);

/** A job on a runner of its own: steps of this action, run as the runner runs them. */
export class Job {
  status: JobStatus = 'success';
  /** The folder of the action; of another build where one is to be run. */
  action = ACTION;
  /** Everything that any step printed. */
  readonly logs: string[] = [];
  readonly #exported: Record<string, string> = {};

  private constructor(
    readonly folder: string,
    readonly workspace: string,
    private readonly env: Record<string, string>,
  ) {}

  static async start(event: EventName, env: With = {}, actor?: string): Promise<Job> {
    const folder = await mkdtemp(join(tmpdir(), 'shipworthy-runner-'));
    const own = await runnerEnv(folder, event, actor);
    const workspace = join(folder, 'work');
    await Promise.all([mkdir(workspace), mkdir(join(folder, 'home')), mkdir(join(folder, 'temp'))]);
    const files = Object.fromEntries(FILES.map((name) => [name, join(folder, name)]));
    await Promise.all(Object.values(files).map((path) => writeFile(path, '')));
    return new Job(folder, workspace, { ...own, ...files, ...env });
  }

  summary = (): Promise<string> => readFile(join(this.folder, 'GITHUB_STEP_SUMMARY'), 'utf8');
  remove = (): Promise<void> => rm(this.folder, { recursive: true, force: true });

  #inputs(given: With): Record<string, string> {
    const unknown = Object.keys(given).filter((name) => !(name in manifest.inputs));
    if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown.join(', ')}`);
    return Object.fromEntries(
      Object.entries(manifest.inputs).map(([name, { default: text = '' }]) => [
        `INPUT_${name.toUpperCase()}`,
        given[name] ?? filledIn(text, this.status),
      ]),
    );
  }

  begin(entry: string, given: With, state: With = {}): Step {
    const states = Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]));
    const env = { ...this.env, ...this.#exported, ...this.#inputs(given), ...states };
    const child = spawn(process.execPath, [join(this.action, entry)], { cwd: this.workspace, env });
    let log = '';
    const listeners: (() => void)[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        log += chunk;
        for (const listener of listeners) listener();
      });
    const said = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => (log.includes(text) ? resolve() : undefined);
        listeners.push(look);
        look();
      });
    const ended = once(child, 'close').then(async ([exit]) => {
      this.logs.push(log);
      const outputs = await takeValues(this.env.GITHUB_OUTPUT ?? '');
      Object.assign(this.#exported, await takeValues(this.env.GITHUB_ENV ?? ''));
      return { exit, log, outputs };
    });
    return { child, said, ended };
  }

  /** Runs the main stage; answers how it ended, and the post stage for when the job is over. */
  async step(given: With): Promise<Ended & { readonly post: () => Promise<Ended> }> {
    const ended = await this.begin(manifest.runs.main, given).ended;
    const post = await this.postOf(given);
    return { ...ended, post };
  }

  /** The post stage of the step that just ended, with what it saved. */
  async postOf(given: With): Promise<() => Promise<Ended>> {
    const state = await takeValues(this.env.GITHUB_STATE ?? '');
    return () => this.begin(manifest.runs.post, given, state).ended;
  }
}
