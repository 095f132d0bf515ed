import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRemoteUrl } from '../git/remote-url.js';
import { askGit } from '../git/run-git.js';
import type { Session } from '../session.js';
import { REPOSITORY_FILE, repositoryFolder, userFile } from '../settings/find-files.js';
import type { World } from '../world.js';
import { chooseSystem } from './choose-system.js';
import { confirm } from './confirm.js';
import { shownDifference } from './difference.js';
import { type FileChange, planOf } from './plan.js';
import { keyIn } from './settings-members.js';
import { valuesFor } from './values.js';
import { readBelow, writeBelow } from './write-files.js';

/** What the command line asks for. */
export interface SetUpOptions {
  readonly ci?: string | undefined;
  readonly environment: string;
  /** The branch whose pushes are released; told by git unless given. */
  readonly branch?: string | undefined;
  readonly agents: boolean;
  readonly yes: boolean;
}

/** What became of each file. */
export interface SetUp {
  readonly files: readonly {
    readonly path: string;
    readonly action: FileChange['action'];
    readonly written: boolean;
  }[];
  /** What a person still has to do. */
  readonly steps: readonly string[];
}

const show = ({ screen }: Session, { path, before, after, action }: FileChange): void => {
  if (action === 'unchanged') return;
  const title = { create: `${path} (new)`, change: path, paste: `${path} is yours: put this in by hand` }[action];
  screen.say(screen.paint.strong(title));
  const base = action === 'change' ? (before ?? '') : '';
  for (const line of shownDifference(base, after, screen.paint)) screen.say(`  ${line}`);
  screen.say();
};

/** How a person's key gets to the address that now stands in the repository: a key is never sent there unasked. */
const keySteps = (world: World, apiUrl: string): readonly string[] => {
  if (world.env.SHIPWORTHY_API_URL && world.env.SHIPWORTHY_API_KEY) return [];
  return [
    `Let your key go to this address: list ${JSON.stringify(apiUrl)} under "trusted_addresses" in ${userFile(world)}.`,
  ];
};

/** Shows every difference, asks, writes. Failure (exit 2) where something is missing or nobody can be asked. */
export const setUp = async (
  session: Session,
  { ci, environment, branch, agents, yes }: SetUpOptions,
): Promise<SetUp> => {
  const { world, screen, globals } = session;
  const folder = repositoryFolder(world.folder) ?? world.folder;
  const exists = (path: string) => existsSync(join(folder, path));
  const read = readBelow(folder);
  const remote = readRemoteUrl((await askGit(world, ['config', '--get', 'remote.origin.url'], { folder })) ?? '');
  const system = chooseSystem(ci, exists, remote?.host);
  const values = await valuesFor(session, { environment, branch }, exists);
  screen.hide(keyIn(read('.shipworthy.json')) ?? '');
  const plan = planOf({ system, values, agents }, read);
  for (const change of plan) show(session, change);
  if (system === undefined && ci === undefined)
    screen.say('No CI system was recognised here; name one with --ci to get its snippet.');
  const due = plan.filter(({ action }) => action === 'create' || action === 'change');
  if (due.length === 0) screen.say('There is nothing to write.');
  const question = `Write ${due.map(({ path }) => path).join(', ')}?`;
  const agreed = due.length > 0 && globals.dryRun !== true && (yes || (await confirm(session, question)));
  if (agreed) writeBelow(folder, due);
  const open = plan.some(({ action, path }) => path === system?.path && action !== 'unchanged');
  const named = plan.some(({ action, path }) => path === REPOSITORY_FILE && action !== 'unchanged');
  return {
    files: plan.map((change) => ({
      path: change.path,
      action: change.action,
      written: agreed && due.includes(change),
    })),
    steps: [...(open ? (system?.steps ?? []) : []), ...(named ? keySteps(world, values.apiUrl) : [])],
  };
};
