import { uuidv7 } from '@shipworthy/adapters/crypto';
import { lookups, reportQueue } from '@shipworthy/adapters/group-commit';
import {
  type DeploymentStatus,
  DomainError,
  type Instant,
  type IssueState,
  type IssueType,
  SCOPES,
  type Severity,
  type TeamActor,
} from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import {
  activateRelease,
  addChecklistItem,
  addEvidence,
  addIssue,
  createRelease,
  editChecklistItem,
  editIssue,
  recordDeployment,
  recordHistory,
  recordTestRun,
  shipRelease,
  waiveReason,
} from '@shipworthy/domain/use-cases';

const MINUTE = 60_000;

/** Adds an issue to the release; returns a function that moves it to another state. */
const demoIssue = async (
  { ports, place }: Scene,
  releaseId: string,
  title: string,
  type: IssueType = 'feature',
  severity: Severity | null = null,
): Promise<(state: IssueState) => Promise<unknown>> => {
  const given = { title, type, state: 'todo', severity, url: null, releaseId } as const;
  const { id } = await addIssue(ports, { ...place, issue: given });
  return (state) => editIssue(ports, { ...place, issueId: id, edit: { state }, version: null });
};

/** Records a deployment that has just ended. */
const recordDemoDeployment = (
  { ports, place, appName }: Scene,
  version: string,
  commitSha: string,
  status: Exclude<DeploymentStatus, 'started'> = 'success',
  environment = 'production',
): Promise<unknown> => {
  const finishedAt = ports.clock();
  const took = { startedAt: finishedAt - 4 * MINUTE, finishedAt, durationSeconds: 240 };
  const what = { appName, projectId: place.projectId, environment, commitSha, version, status, ...took };
  const report = { ...what, deployedBy: 'pipeline', url: null, isReturn: false, external: null };
  return recordDeployment(ports, { ...place.by, report, remember: null });
};

/** Records a test run of the release that has just ended, without skipped tests. */
const recordDemoTestRun = (
  { ports, place }: Scene,
  releaseId: string,
  commitSha: string,
  passed: number,
  total: number,
): Promise<unknown> => {
  const counts = { total, passed, failed: total - passed, skipped: 0 };
  const rest = { suite: null, url: null, durationSeconds: 312, ranAt: null, external: null };
  const report = { releaseId, commitSha, ...counts, ...rest };
  const { teamId, projectId, by } = place;
  return recordTestRun(ports, { ...by, teamId, projectId, report, remember: null });
};

/** Ticks a checklist item by its key, or says why it does not apply; with a link as its evidence where one is given. */
const tick = async (
  { ports, place }: Scene,
  releaseId: string,
  key: string,
  evidence?: { readonly url: string; readonly label: string },
  reason?: string,
): Promise<void> => {
  const edit = reason === undefined ? ({ state: 'done' } as const) : ({ state: 'not_applicable', reason } as const);
  const item = (await ports.stores.checklists.ofRelease(releaseId)).find((one) => one.key === key);
  if (item === undefined) throw new Error(`The release has no checklist item ${key}.`);
  await editChecklistItem(ports, { ...place, releaseId, itemId: item.id, edit });
  if (evidence !== undefined) await addEvidence(ports, { ...place, releaseId, itemId: item.id, ...evidence });
};

const DAY_MS = 86_400_000;

/** The release being worked on: a critical bug is open, the rollback was never tried, so its gate says hold. */
const playHeldRelease = async (scene: Scene): Promise<void> => {
  const { ports, place, daysAgo } = scene;
  const { id: releaseId } = await daysAgo(14.4, () =>
    createRelease(ports, { ...place, name: '1.1 Gift cards', startsAt: null, targetAt: ports.clock() + 18 * DAY_MS }),
  );
  await daysAgo(14.3, () => activateRelease(ports, { ...place, releaseId, current: null }));
  const moves = [];
  for (const title of ['Buy a gift card', 'Pay with a gift card', 'Show what is left on it', 'Mail with the code'])
    moves.push(await daysAgo(14.2, () => demoIssue(scene, releaseId, title)));
  await daysAgo(14.1, () => demoIssue(scene, releaseId, 'Report of cards sold'));
  await daysAgo(12, () => recordDemoDeployment(scene, '1.1.0-1', '5be81d0', 'success', 'staging'));
  await daysAgo(11.9, () => recordDemoTestRun(scene, releaseId, '5be81d0', 349, 366));
  for (const [index, move] of moves.entries()) await daysAgo(11.5 - index * 1.5, () => move('done'));
  const rounding = await daysAgo(6.8, () => demoIssue(scene, releaseId, 'A cent is lost in rounding', 'bug', 'major'));
  const expired = await daysAgo(6.5, () => demoIssue(scene, releaseId, 'Expired cards are taken', 'bug', 'critical'));
  await daysAgo(6, () => recordDemoDeployment(scene, '1.1.0-2', '90aa3c7', 'failure', 'staging'));
  await daysAgo(5.8, () => recordDemoDeployment(scene, '1.1.0-3', 'd1774ef', 'success', 'staging'));
  await daysAgo(5.7, () => recordDemoTestRun(scene, releaseId, 'd1774ef', 371, 388));
  const docs = { url: 'https://docs.example.com/gift-cards', label: 'Help page' };
  await daysAgo(5, () => tick(scene, releaseId, 'docs', docs));
  await daysAgo(4.5, () => rounding('done'));
  await daysAgo(4, () => addChecklistItem(ports, { ...place, releaseId, title: 'Support briefed' }));
  await daysAgo(3.8, () => tick(scene, releaseId, 'support_briefed'));
  await daysAgo(3, () => recordDemoDeployment(scene, '1.1.0-4', '2c6fb18', 'success', 'staging'));
  const flag = { url: 'https://flags.example.com/gift-cards', label: 'Flag: gift cards' };
  await daysAgo(2.5, () => tick(scene, releaseId, 'feature_flag', flag));
  await daysAgo(2, () => expired('in_progress'));
  const why = { text: 'The rollback is tried before the launch; until then the flag turns gift cards off.' };
  await daysAgo(1.5, () =>
    waiveReason(ports, {
      ...place,
      releaseId,
      code: 'axis_below_minimum',
      axis: 'ops',
      ...why,
      expiresAt: ports.clock() + 14 * DAY_MS,
    }),
  );
  await daysAgo(0.3, () => recordDemoDeployment(scene, '1.1.0-5', 'e83d52a', 'success', 'staging'));
  await daysAgo(0.2, () => recordDemoTestRun(scene, releaseId, 'e83d52a', 398, 403));
};

/** The ports that make a demo. */
export type DemoPorts = Pick<Ports, 'stores' | 'clock'>;

/** The ports of the use cases that fill a demo. */
type ScenePorts = Pick<Ports, 'stores' | 'lookups' | 'reports' | 'receipts' | 'clock' | 'newId'>;

/** A project whose past is being played: its clock is set back and moves on from event to event. */
interface Scene {
  readonly ports: ScenePorts;
  readonly place: { readonly by: TeamActor; readonly teamId: string; readonly projectId: string };
  readonly appName: string;
  /** Sets the clock to this many days ago, runs `happen`, and adds the releases that it changed to the trend. */
  daysAgo<Result>(days: number, happen: () => Promise<Result>): Promise<Result>;
}

const DAY = 24 * 3_600_000;
const LEASE_MS = 1_000;

/** The actor of the sample data; it names no person, since no person acted. */
const actorOf = (userId: string, teamId: string, now: Instant): TeamActor => ({
  principal: {
    kind: 'session',
    id: teamId,
    userId,
    name: 'Demo',
    scopes: SCOPES,
    roles: new Map([[teamId, 'owner']]),
    administrator: false,
    expiresAt: now,
  },
  address: '',
  requestId: '',
  needs: 'owner',
});

/** The beginning of a demo, within a transaction: a team of its own, marked as such, with its owners and one project. */
const openScene = async (
  stores: Ports['stores'],
  present: Instant,
  owners: readonly string[],
  names: { readonly team: string; readonly project: string; readonly createdDaysAgo: number },
): Promise<Scene> => {
  const createdAt = present - names.createdDaysAgo * DAY;
  let now = createdAt;
  const clock = () => now;
  const newId = uuidv7(clock);
  const teamId = newId();
  const [first, ...others] = owners.map((userId) => ({ teamId, userId, role: 'owner', createdAt }) as const);
  if (first === undefined) throw new TypeError('A demo needs an owner.');
  await stores.teams.create({ id: teamId, name: names.team, slug: 'demo', version: 1, createdAt, demo: true }, first);
  for (const membership of others) await stores.teams.addMember(membership);
  const { project: name } = names;
  const { id: projectId } = await stores.projects.create({
    id: newId(),
    teamId,
    name,
    slug: name,
    version: 1,
    createdAt,
  });
  const reports = reportQueue(stores.reports);
  const ports = { stores, lookups: lookups(stores), reports, receipts: { notCounted: () => undefined }, clock, newId };
  return {
    ports,
    place: { by: actorOf(first.userId, teamId, present), teamId, projectId },
    appName: name,
    daysAgo: async (days, happen) => {
      now = present - Math.round(days * DAY);
      const result = await happen();
      await recordHistory(ports, { limit: 10, leaseMs: LEASE_MS, projectId });
      return result;
    },
  };
};

/** A release that went well, from its first issue six weeks ago to its end two weeks ago: its gate said go. */
const playShippedRelease = async (scene: Scene): Promise<void> => {
  const { ports, place, daysAgo } = scene;
  const { id: releaseId } = await daysAgo(42, () =>
    createRelease(ports, { ...place, name: '1.0 Search', startsAt: null, targetAt: ports.clock() + 27 * 86_400_000 }),
  );
  const moves = [];
  for (const title of ['Index the catalogue', 'Search box in the header', 'Results with pictures', 'Filters by price'])
    moves.push(await daysAgo(41.5, () => demoIssue(scene, releaseId, title)));
  const typo = await daysAgo(38, () => demoIssue(scene, releaseId, 'Forgive a wrong letter'));
  await daysAgo(37, () => activateRelease(ports, { ...place, releaseId, current: null }));
  await daysAgo(35, () => recordDemoDeployment(scene, '1.0.0-1', '3f1c9aa', 'success', 'staging'));
  await daysAgo(34.9, () => recordDemoTestRun(scene, releaseId, '3f1c9aa', 281, 310));
  for (const [index, move] of moves.entries()) await daysAgo(33 - index * 3, () => move('done'));
  const umlaut = await daysAgo(23.5, () => demoIssue(scene, releaseId, 'Umlauts are not found', 'bug', 'major'));
  await daysAgo(23, () => recordDemoDeployment(scene, '1.0.0-2', '77d20be', 'failure', 'staging'));
  await daysAgo(22, () => recordDemoDeployment(scene, '1.0.0-3', 'a95e0c4', 'success', 'staging'));
  await daysAgo(21.8, () => recordDemoTestRun(scene, releaseId, 'a95e0c4', 329, 342));
  const docs = { url: 'https://docs.example.com/search', label: 'Help page' };
  await daysAgo(20, () => tick(scene, releaseId, 'docs', docs));
  await daysAgo(19.5, () => typo('done'));
  await daysAgo(18, () => umlaut('done'));
  const flag = { url: 'https://flags.example.com/search', label: 'Flag: search' };
  await daysAgo(17.5, () => tick(scene, releaseId, 'feature_flag', flag));
  await daysAgo(16.5, () => recordDemoDeployment(scene, '1.0.0', 'c04b7f1', 'success', 'staging'));
  await daysAgo(16.4, () => recordDemoTestRun(scene, releaseId, 'c04b7f1', 356, 358));
  const drill = { url: 'https://wiki.example.com/drills/search', label: 'Drill of the rollback' };
  await daysAgo(15.5, () => tick(scene, releaseId, 'rollback', drill));
  await daysAgo(15, () => recordDemoDeployment(scene, '1.0.0', 'c04b7f1'));
  await daysAgo(14.5, () => shipRelease(ports, { ...place, releaseId, note: 'Search for everybody.' }));
};

/** A release that looks finished, but was neither tested nor deployed: its gate says unknown, not go. */
const playUnmeasuredRelease = async (scene: Scene): Promise<void> => {
  const { ports, place, daysAgo } = scene;
  const { id: releaseId } = await daysAgo(0.15, () =>
    createRelease(ports, { ...place, name: '1.0.1 Repair', startsAt: null, targetAt: null }),
  );
  const repair = await daysAgo(0.14, () => demoIssue(scene, releaseId, 'Search fails for one letter', 'bug', 'major'));
  const words = await daysAgo(0.13, () => demoIssue(scene, releaseId, 'Say it when nothing is found', 'task'));
  await daysAgo(0.1, () => repair('done'));
  await daysAgo(0.09, () => words('done'));
  const drill = { url: 'https://wiki.example.com/drills/search', label: 'Drill of the rollback' };
  await daysAgo(0.08, () => tick(scene, releaseId, 'rollback', drill));
  await daysAgo(0.07, () =>
    tick(scene, releaseId, 'docs', undefined, 'A repair that changes nothing the docs speak of'),
  );
  await daysAgo(0.06, () =>
    tick(scene, releaseId, 'feature_flag', undefined, 'A repair of two lines, shipped to everybody'),
  );
};

/** Names that no pipeline reports to by chance. */
const NAMES = { team: 'Demo', project: 'demo-shop', createdDaysAgo: 43 };

/**
 * Adds the demo unless there is one: a team with one project of three releases whose gates say go, hold and unknown, owned by
 * the present administrators and made by the use cases that real data goes through. All of it or nothing; only one of several
 * instances adds it.
 * @returns whether there is a demo now; false while there is no administrator
 */
export const addDemo = async ({ stores, clock }: DemoPorts): Promise<boolean> => {
  const owners = (await stores.users.administrators()).map(({ id }) => id);
  if (owners.length === 0) return false;
  if ((await stores.teams.demo()) !== undefined) return true;
  try {
    await stores.transaction(async (inside) => {
      const scene = await openScene(inside, clock(), owners, NAMES);
      await playShippedRelease(scene);
      await playHeldRelease(scene);
      await playUnmeasuredRelease(scene);
    });
  } catch (error) {
    // Another instance added the demo first.
    if (!(error instanceof DomainError && error.code === 'name-taken')) throw error;
  }
  return true;
};
