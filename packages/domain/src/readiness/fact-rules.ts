import type { Fault } from '../errors.js';
import { opsFaults, opsFits } from './axes/ops.js';
import { qualityFaults, qualityFits } from './axes/quality.js';
import { scopeFaults, scopeFits } from './axes/scope.js';
import { stabilityFaults, stabilityFits } from './axes/stability.js';
import { setAsideFaults, setAsideFits, verificationFaults, verificationFits } from './axes/verification.js';
import { AXES, type PerAxis } from './axis.js';
import type { ReleaseFacts, SourceFacts } from './facts.js';
import { type FaultList, faultsFound, isMoment, type Members, memberCount } from './fault-list.js';

/** What finds the faults of each axis' facts, in the wire form. */
const AXIS_FAULTS: PerAxis<(faults: FaultList, facts: Members) => void> = Object.freeze({
  scope: scopeFaults,
  quality: qualityFaults,
  ops: opsFaults,
  verification: verificationFaults,
  stability: stabilityFaults,
});

/** Members that are not an axis' own, with the names they are sent under; facts may lack them. */
const OTHERS = Object.freeze({
  issuesAsOf: 'issues_as_of',
  issuesPending: 'issues_pending',
  testRunSetAside: 'test_run_set_aside',
  sources: 'sources',
});
const NAMES = Object.freeze({ ...Object.fromEntries(AXES.map((axis) => [axis, axis])), ...OTHERS });
const SOURCES = Object.freeze({ deployments: 'deployments', testRuns: 'test_runs' });
const SOURCE = Object.freeze({ lastAt: 'last_at', medianMs: 'median_ms' });

const sourceFaults = (faults: FaultList, pointer: string, value: unknown): void => {
  const source = value === null ? null : faults.object(value, pointer, SOURCE);
  if (source === null) return;
  const { lastAt, medianMs } = source;
  faults.moment(lastAt, `${pointer}/last_at`);
  if (medianMs === null) return;
  if (typeof medianMs !== 'number') faults.misfit(`${pointer}/median_ms`, medianMs, 'a number or null');
  else if (!Number.isSafeInteger(medianMs) || medianMs < 0)
    faults.add(`${pointer}/median_ms`, 'out_of_range', 'A span of time must be whole milliseconds, 0 or more');
};

/**
 * Every fault of what is said to be facts, none where they can be judged: no member is missing, of another kind or surplus,
 * counts are whole numbers 0 to 2^31 - 1, no part exceeds its whole, bugs fit into the issues, open bugs sum up, moments are
 * in the years 1 to 9999, spans of time not negative. Takes anything and never throws; lists 100 faults at most, then says so.
 * Pointers are into the wire form (`/stability/in_progress`), a surplus member has the name it is given under. Codes:
 * `missing`, `wrong_type`, `surplus`, `out_of_range`, `does_not_fit`, `too_many`, `unreadable`, `too_many_faults`.
 */
export const factFaults = (value: unknown): readonly Fault[] =>
  faultsFound((faults) => {
    const facts = faults.object(value, '', NAMES);
    if (facts === null) return;
    for (const axis of AXES) AXIS_FAULTS[axis](faults, facts);
    const { issuesAsOf = null, issuesPending, sources } = facts;
    if (issuesAsOf !== null) faults.moment(issuesAsOf, '/issues_as_of');
    if (issuesPending !== undefined) faults.flag(issuesPending, '/issues_pending');
    setAsideFaults(faults, facts);
    const both = sources === undefined ? null : faults.object(sources, '/sources', SOURCES);
    if (both === null) return;
    sourceFaults(faults, '/sources/deployments', both.deployments);
    sourceFaults(faults, '/sources/test_runs', both.testRuns);
  });

const sourceFits = (source: SourceFacts | null): boolean => {
  if (source === null) return true;
  const { lastAt, medianMs } = source;
  const isSpan = medianMs === null || (Number.isSafeInteger(medianMs) && medianMs >= 0);
  return isSpan && isMoment(lastAt) && memberCount(source) === 2;
};

const sourcesFit = (sources: NonNullable<ReleaseFacts['sources']>): boolean =>
  sourceFits(sources.deployments) && sourceFits(sources.testRuns) && memberCount(sources) === 2;

/** `factsFit` checks so many axes; with a further axis it returns false until it checks that one, too. */
const AXES_LOOKED_AT = 5;

/** A fast check: true means that facts have no fault; false means unknown, ask `factFaults`. May throw for values that are no facts. */
export const factsFit = (facts: ReleaseFacts): boolean => {
  if (!scopeFits(facts) || !qualityFits(facts) || !opsFits(facts)) return false;
  if (!verificationFits(facts) || !stabilityFits(facts)) return false;
  const { issuesAsOf, issuesPending, testRunSetAside, sources } = facts;
  let members = AXES_LOOKED_AT;
  if (issuesAsOf !== undefined) {
    if (issuesAsOf !== null && !isMoment(issuesAsOf)) return false;
    members += 1;
  }
  if (issuesPending !== undefined) {
    if (typeof issuesPending !== 'boolean') return false;
    members += 1;
  }
  if (testRunSetAside !== undefined) {
    if (!setAsideFits(facts)) return false;
    members += 1;
  }
  if (sources !== undefined) {
    if (!sourcesFit(sources)) return false;
    members += 1;
  }
  return memberCount(facts) === members;
};
