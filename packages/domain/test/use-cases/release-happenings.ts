import fc from 'fast-check';
import { DomainError } from '../../src/errors.js';
import { DEFAULT_POLICY } from '../../src/readiness/policy.js';
import {
  addChecklistItem,
  confirmChecklistItem,
  editChecklistItem,
  removeChecklistItem,
  restoreChecklistItem,
} from '../../src/use-cases/checklist.js';
import { finishDeployment } from '../../src/use-cases/deployment.js';
import { addIssue } from '../../src/use-cases/issue.js';
import { changePolicy } from '../../src/use-cases/policy.js';
import { renameProject } from '../../src/use-cases/project.js';
import { readReadiness } from '../../src/use-cases/readiness.js';
import { activateRelease, cancelRelease, parkRelease, shipRelease } from '../../src/use-cases/release.js';
import { waiveReason, withdrawWaiver } from '../../src/use-cases/waiver.js';
import { deployed, tested } from './reporting.js';
import type { ReleaseScene } from './scene.js';
import { HOUR } from './world.js';

/** Everything that can happen to a release, each with a number that settles its details. */
const HAPPENINGS = {
  deploy: (here: ReleaseScene, n: number) =>
    deployed(here, {
      environment: n % 3 === 0 ? 'staging' : 'production',
      status: (['success', 'started', 'failure'] as const)[n % 5 > 2 ? 2 : n % 2] ?? 'success',
    }),
  finish: async (here: ReleaseScene, n: number) => {
    const { rows } = await here.stores.deployments.page(
      { projectId: here.project.id, status: 'started' },
      { limit: 1, after: null },
    );
    const [open] = rows;
    const { principal } = here.member;
    const status = n % 2 === 0 ? 'success' : 'failure';
    if (open)
      await finishDeployment(here, {
        principal,
        needs: 'member',
        deploymentId: open.id,
        status,
        durationSeconds: null,
      });
  },
  test: (here: ReleaseScene, n: number) => tested(here, { total: 100, passed: n, failed: 100 - n }),
  issue: (here: ReleaseScene, n: number) => {
    const kind = { type: n % 2 === 0 ? 'bug' : 'task', severity: n % 4 === 0 ? 'critical' : null } as const;
    const issue = { ...kind, title: `No ${n}`, state: n % 3 === 0 ? 'done' : 'todo', url: null } as const;
    return addIssue(here, { by: here.member, ...here.there, issue: { ...issue, releaseId: here.release.id } });
  },
  tick: async (here: ReleaseScene, n: number) => {
    const item = (await here.stores.checklists.ofRelease(here.release.id))[n % 3];
    const edit = { state: item?.state === 'done' ? 'open' : 'done' } as const;
    if (item) await editChecklistItem(here, { by: here.member, ...here.at, itemId: item.id, edit, version: null });
  },
  mark: async (here: ReleaseScene, n: number) => {
    const item = (await here.stores.checklists.ofRelease(here.release.id))[n % 4];
    const edit = { state: 'not_applicable', reason: `Reason ${n % 3}` } as const;
    const by = n % 5 === 0 ? here.owner : here.member;
    if (item) await editChecklistItem(here, { by, ...here.at, itemId: item.id, edit });
  },
  confirm: async (here: ReleaseScene, n: number) => {
    const item = (await here.stores.checklists.ofRelease(here.release.id))[n % 4];
    if (item) await confirmChecklistItem(here, { by: here.owner, ...here.at, itemId: item.id, version: item.version });
  },
  add: (here: ReleaseScene, n: number) =>
    addChecklistItem(here, { by: here.member, ...here.at, title: `Item ${n % 5}` }),
  remove: async (here: ReleaseScene, n: number) => {
    const added = (await here.stores.checklists.ofRelease(here.release.id)).slice(3);
    const item = added[n % Math.max(added.length, 1)];
    if (item) await removeChecklistItem(here, { by: here.owner, ...here.at, itemId: item.id });
  },
  restore: async (here: ReleaseScene) => {
    const [item] = await here.stores.checklists.removedOf(here.release.id);
    if (item) await restoreChecklistItem(here, { by: here.owner, ...here.at, itemId: item.id });
  },
  waive: async (here: ReleaseScene, n: number) => {
    const { report } = await readReadiness(here, { principal: here.viewer.principal, ...here.at, view: null });
    const reason = report.gate.reasons.filter(({ waived }) => !waived)[n % 3];
    if (reason === undefined || reason.code === 'no_weights') return;
    const { code, axis } = reason;
    const expiresAt = here.time.now + 1 + n * 20 * 60_000;
    await waiveReason(here, { by: here.owner, ...here.at, code, axis, text: 'Accepted.', expiresAt });
  },
  withdraw: async (here: ReleaseScene, n: number) => {
    const all = await here.stores.waivers.ofRelease(here.release.id);
    const waiver = all[n % Math.max(all.length, 1)];
    if (waiver) await withdrawWaiver(here, { by: here.owner, ...here.at, waiverId: waiver.id });
  },
  policy: async (here: ReleaseScene, n: number) => {
    const environments = n % 3 === 0 ? ['production'] : null;
    const freshnessHours = n % 2 === 0 ? 1 + (n % 30) : null;
    const policy = { ...DEFAULT_POLICY, threshold: n, environments, freshnessHours };
    const version = (await here.stores.policies.current(here.project.id))?.version ?? 0;
    await changePolicy(here, { by: here.owner, ...here.there, policy, version });
  },
  rename: (here: ReleaseScene, n: number) =>
    renameProject(here, { by: here.owner, ...here.there, name: n % 2 === 0 ? 'Shop' : `Shop ${n}`, version: null }),
  park: (here: ReleaseScene) => parkRelease(here, { by: here.member, ...here.at }),
  activate: (here: ReleaseScene) => activateRelease(here, { by: here.member, ...here.at, current: null }),
  ship: (here: ReleaseScene) => shipRelease(here, { by: here.member, ...here.at, note: null }),
  cancel: (here: ReleaseScene) => cancelRelease(here, { by: here.member, ...here.at }),
} as const;

type Name = keyof typeof HAPPENINGS;

export interface Happening {
  readonly name: Name;
  readonly n: number;
}

/** Makes it happen, unless the release is past it. */
export const happen = async (here: ReleaseScene, { name, n }: Happening): Promise<void> => {
  try {
    await HAPPENINGS[name](here, n);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
};

const OFTEN: readonly Name[] = [
  ...(['deploy', 'finish', 'test', 'issue', 'tick', 'waive', 'withdraw', 'policy', 'rename'] as const),
  ...(['mark', 'confirm', 'add', 'remove', 'restore'] as const),
];
const happening: fc.Arbitrary<Happening> = fc.record({
  name: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...OFTEN) },
    { weight: 2, arbitrary: fc.constantFrom<Name>('park', 'activate') },
    { weight: 1, arbitrary: fc.constantFrom<Name>('ship', 'cancel') },
  ),
  n: fc.integer({ min: 0, max: 100 }),
});

/** What happens within one second, and how long nothing happens then. */
export interface Spell {
  readonly happenings: readonly Happening[];
  /** Time that passes then, bit by bit, in milliseconds. */
  readonly waits: readonly number[];
  /** After how many waits the trend is recorded. */
  readonly recordedAfter: number;
}

export const spells: fc.Arbitrary<readonly Spell[]> = fc.array(
  fc.record({
    happenings: fc.array(happening, { minLength: 1, maxLength: 3 }),
    waits: fc.array(fc.integer({ min: 1, max: 9 * HOUR }), { maxLength: 4 }),
    recordedAfter: fc.nat({ max: 4 }),
  }),
  { minLength: 1, maxLength: 12 },
);
