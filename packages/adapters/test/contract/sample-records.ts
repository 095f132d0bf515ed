import { randomBytes } from 'node:crypto';
import type {
  AxisReport,
  ChecklistItem,
  Deployment,
  Evidence,
  Issue,
  Project,
  Release,
  TestRun,
} from '@shipworthy/domain';
import type { Waiver } from '@shipworthy/domain/readiness';

/** Noon of 2026-01-15, UTC: the moment everything below happens at unless said otherwise. */
export const NOON = Date.UTC(2026, 0, 15, 12);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** 2100-01-01: later than any run of these tests. */
export const FAR_FUTURE = Date.UTC(2100, 0, 1);

/** Everything that is easily spoilt on the way into a database and back. */
export const AWKWARD = `O'Brien "quoted" 100%_\\ \`tick\` \${x} ; -- é e\u0301 ß 漢字 עברית 🚀👩‍🚀 𝔘`;

let counted = 0;

/** An id of UUIDv7's form; later ones sort after earlier ones. */
export const sampleId = (): string => {
  counted += 1;
  const random = randomBytes(8).toString('hex');
  const time = (NOON + counted).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6).padEnd(12, '0')}`;
};

/** 64 hexadecimal characters that were never used before. */
export const sampleHash = (): string => randomBytes(32).toString('hex');

/** A word that was never used before. */
export const unique = (word: string): string => `${word}-${randomBytes(6).toString('hex')}`;

export const sampleProject = (teamId: string, over: Partial<Project> = {}): Project => ({
  id: sampleId(),
  teamId,
  name: unique('project'),
  slug: unique('project'),
  version: 1,
  createdAt: NOON,
  ...over,
});

export const sampleRelease = (projectId: string, over: Partial<Release> = {}): Release => ({
  id: sampleId(),
  projectId,
  name: unique('release'),
  state: 'planned',
  startsAt: null,
  targetAt: null,
  shippedAt: null,
  canceledAt: null,
  externalId: null,
  note: null,
  version: 1,
  createdAt: NOON,
  ...over,
});

export const sampleItem = (releaseId: string, over: Partial<ChecklistItem> = {}): ChecklistItem => ({
  id: sampleId(),
  releaseId,
  key: unique('item'),
  title: 'Docs',
  origin: 'added',
  state: 'open',
  mark: null,
  position: 0,
  evidence: [],
  version: 1,
  updatedAt: NOON,
  updatedBy: null,
  removal: null,
  ...over,
});

export const sampleEvidence = (over: Partial<Evidence> = {}): Evidence => ({
  id: sampleId(),
  url: 'https://example.org/docs?a=1&b=%20#top',
  label: 'Docs page',
  addedBy: 'Ada',
  addedAt: NOON + MINUTE,
  ...over,
});

export const sampleIssue = (projectId: string, over: Partial<Issue> = {}): Issue => ({
  id: sampleId(),
  projectId,
  releaseId: null,
  title: 'Login',
  type: 'feature',
  state: 'todo',
  severity: null,
  url: null,
  externalId: null,
  version: 1,
  createdAt: NOON,
  updatedAt: NOON,
  ...over,
});

export const sampleDeployment = (projectId: string, over: Partial<Deployment> = {}): Deployment => ({
  id: sampleId(),
  projectId,
  appName: 'project',
  environment: 'production',
  commitSha: '4f2a9c1',
  version: null,
  deployedBy: null,
  status: 'started',
  isReturn: false,
  url: null,
  startedAt: NOON,
  finishedAt: over.status === 'success' || over.status === 'failure' ? (over.startedAt ?? NOON) : null,
  durationSeconds: null,
  createdAt: NOON,
  external: null,
  ...over,
});

export const sampleTestRun = (release: Pick<Release, 'id' | 'projectId'>, over: Partial<TestRun> = {}): TestRun => ({
  id: sampleId(),
  projectId: release.projectId,
  releaseId: release.id,
  suite: null,
  total: 10,
  passed: 9,
  failed: 1,
  skipped: null,
  commitSha: null,
  url: null,
  durationSeconds: null,
  ranAt: NOON,
  recordedAt: NOON,
  recordedBy: 'pipeline',
  external: null,
  setAside: null,
  ...over,
});

export const sampleAxisReport = (
  release: Pick<Release, 'id' | 'projectId'>,
  over: Partial<AxisReport> = {},
): AxisReport => ({
  id: sampleId(),
  projectId: release.projectId,
  releaseId: release.id,
  axis: 'security',
  part: 48,
  whole: 50,
  explanation: null,
  url: null,
  measuredAt: NOON,
  recordedAt: NOON,
  recordedBy: 'pipeline',
  external: null,
  ...over,
});

export const sampleWaiver = (releaseId: string, over: Partial<Waiver> = {}): Waiver => ({
  id: sampleId(),
  releaseId,
  code: 'axis_below_minimum',
  axis: 'scope',
  text: 'Known and accepted',
  actual: 50,
  createdBy: 'Ada',
  createdAt: NOON,
  expiresAt: FAR_FUTURE,
  withdrawnAt: null,
  withdrawnBy: null,
  ...over,
});
