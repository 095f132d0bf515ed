import type { Stores } from '../ports.js';
import type { Cause } from '../release/history-store.js';

/** A record that moved a report. */
export interface MovingRecord extends Cause {
  /** The record in short, as it is now; null: there is nothing to say, or it is gone. */
  readonly title: string | null;
}

/** Which versions of the policy two reports stand on. */
export interface PolicyStep {
  readonly from: number;
  readonly to: number;
}

type Titles = readonly (readonly [id: string, title: string])[];

const idsOf = (causes: readonly Cause[], kind: Cause['kind']): readonly string[] => [
  ...new Set(causes.filter((cause) => cause.kind === kind).map(({ id }) => id)),
];

const titlesOf = async <Found extends { readonly id: string }>(
  causes: readonly Cause[],
  kind: Cause['kind'],
  find: (ids: readonly string[]) => Promise<readonly (Found | undefined)[]>,
  titleOf: (found: Found) => string,
): Promise<Titles> => {
  const ids = idsOf(causes, kind);
  if (ids.length === 0) return [];
  return (await find(ids)).flatMap((found) => (found === undefined ? [] : [[found.id, titleOf(found)] as const]));
};

/** Every change of a policy makes the next version, so their order tells which is which, if none is missing. */
const policyTitles = (causes: readonly Cause[], { from, to }: PolicyStep): ReadonlyMap<Cause, string> => {
  const changes = causes.filter(({ kind }) => kind === 'policy');
  return new Map(changes.length === to - from ? changes.map((change, n) => [change, `version ${from + n + 1}`]) : []);
};

/** The causes with their records' titles: one query at most for each kind of record. */
export const nameRecords = async (
  { deployments, testRuns, issues, checklists, waivers }: Stores,
  releaseId: string,
  causes: readonly Cause[],
  policies: PolicyStep,
): Promise<readonly MovingRecord[]> => {
  const found = await Promise.all([
    titlesOf(
      causes,
      'deployment',
      (ids) => deployments.byIds(ids),
      ({ environment, status }) => `${environment}, ${status}`,
    ),
    titlesOf(
      causes,
      'test_run',
      (ids) => testRuns.byIds(ids),
      ({ passed, total }) => `${passed} of ${total} passed`,
    ),
    titlesOf(
      causes,
      'issue',
      (ids) => issues.byIds(ids),
      ({ title }) => title,
    ),
    titlesOf(
      causes,
      'checklist_item',
      () => checklists.ofRelease(releaseId),
      ({ title }) => title,
    ),
    titlesOf(
      causes,
      'waiver',
      () => waivers.ofRelease(releaseId),
      ({ code, axis }) => (axis === null ? code : `${code}, ${axis}`),
    ),
  ]);
  const titles = new Map(found.flat());
  const versions = policyTitles(causes, policies);
  return causes.map((cause) => ({ ...cause, title: versions.get(cause) ?? titles.get(cause.id) ?? null }));
};
