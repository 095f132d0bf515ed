import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { component, type InputValue, variablesOf } from './component.js';
import { PIPELINES, type PipelineName } from './gitlab-env.js';

const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.resolve('@shipworthy/cli')));
// As npx does once the package is there; it is asked for the package that the component names.
const NPX = `#!/bin/sh
[ "$1 $2 $3" = "--yes --package=$SHIPWORTHY_PACKAGE shipworthy" ] || exit 9
shift 3
exec "${process.execPath}" "${MAIN}" "$@"
`;

/** How a job ended, and what it leaves to later ones. */
export interface JobEnd {
  readonly exit: number | null;
  readonly log: string;
  readonly dotenv: Readonly<Record<string, string>>;
  readonly folder: string;
}

type Texts = Readonly<Record<string, string>>;

export interface JobOptions {
  readonly on?: PipelineName;
  /** Variables of the project, which win over those of the job. */
  readonly variables?: Texts;
  /** Files of the work tree by name. */
  readonly files?: Texts;
  /** Symbolic links of the work tree by name, and where each leads. */
  readonly links?: Texts;
  /** The real npx, instead of one that has the package already. */
  readonly realNpx?: boolean;
  /** The text of an npx of its own. */
  readonly npx?: string;
}

const DOTENV_LINE = /^([A-Z_][A-Z0-9_]*)=([^\n"']*)$/;

/** Reads a dotenv report as GitLab does: one variable in each line, nothing else. */
const readDotenv = async (path: string): Promise<Texts> => {
  const text = await readFile(path, 'utf8').catch(() => '');
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, name, value] = DOTENV_LINE.exec(line) ?? [];
        if (name === undefined || value === undefined) throw new Error(`no line of a dotenv report: ${line}`);
        return [name, value];
      }),
  );
};

/** Runs the script of a component's job by `sh`, in an empty folder, with the variables that GitLab sets. */
export const runJob = async (
  name: string,
  inputs: Readonly<Record<string, InputValue>>,
  { on = 'branch', variables = {}, files = {}, links = {}, realNpx = false, npx = NPX }: JobOptions = {},
): Promise<JobEnd> => {
  const job = component(name, inputs);
  const root = await mkdtemp(join(tmpdir(), 'shipworthy-gitlab-'));
  const [folder, bin] = [join(root, 'work'), join(root, 'bin')];
  await Promise.all([mkdir(folder), mkdir(bin)]);
  await writeFile(join(bin, 'npx'), npx, { mode: 0o755 });
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { mode: 0o755 });
  for (const [file, target] of Object.entries(links)) await symlink(target, join(folder, file));
  const path = realNpx ? process.env.PATH : `${bin}:${process.env.PATH}`;
  const env = { PATH: path, HOME: root, ...variablesOf(job), ...PIPELINES[on], ...variables };
  const child = spawn('sh', ['-e', '-c', job.script.join('\n')], { cwd: folder, env });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      log += chunk;
    });
  const [exit] = await once(child, 'close');
  const dotenv = await readDotenv(join(folder, job.artifacts?.reports.dotenv ?? 'none'));
  ended.push(root);
  return { exit, log, dotenv, folder };
};

const ended: string[] = [];

/** Takes the folders of all jobs away. */
export const removeJobs = async (): Promise<void> => {
  for (const root of ended.splice(0)) await rm(root, { recursive: true, force: true });
};
