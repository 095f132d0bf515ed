import { worseSuiteText } from './axes/verification.js';
import { NAMED_ITEMS, type OpsFacts, type ReleaseFacts, type SuiteRun } from './facts.js';
import type { LeastWork } from './least-work.js';
import type { Policy } from './policy.js';
import { MAX_COUNT } from './share.js';
import { stabilityBoundOf } from './stability-bound.js';
import { counted, limitText } from './wording.js';

/** Nothing to do: it ends by itself. */
export const awaitImportMessage = (): string =>
  'Wait until the issues of the release are imported, which ends by itself: there is nothing to do for it';

/** "Add 1 issue ...", for an axis that has no issue to be measured by. */
export const addIssuesMessage = (axis: 'scope' | 'quality'): string =>
  axis === 'scope'
    ? 'Add at least 1 issue to the release and close it'
    : 'Add at least 1 issue to the release and close it: without issues nothing is known about bugs';

/** `bugsToo`: there are also steps about bugs, and bugs they resolve count as closed issues. */
export const closeIssuesMessage = (count: number, bugsToo: boolean): string =>
  `Close ${counted(count, 'more issue')}${bugsToo ? ', resolved bugs included' : ''}`;

/** `criticalToo`: there is also a step about critical bugs, and those it resolves count here too. */
export const resolveBugsMessage = (count: number, criticalToo: boolean): string =>
  `Resolve ${counted(count, 'more bug')}${criticalToo ? ', critical ones included' : ''}`;

/** "Resolve 2 critical bugs". */
export const resolveCriticalBugsMessage = (count: number): string => `Resolve ${counted(count, 'critical bug')}`;

/** "Add 1 checklist item ...", for a release to which none applies. */
export const addItemsMessage = (): string => 'Add at least 1 item to the launch checklist and tick it';

/** Names the open items, the first 20 of them at most, and which of them await an owner. */
export const tickItemsMessage = (count: number, { done, total, openItems, notApplicable = [] }: OpsFacts): string => {
  const awaiting = notApplicable.flatMap(({ title, confirmed }) => (confirmed ? [] : [title]));
  const open = total - done;
  const named = Math.min(openItems.length, NAMED_ITEMS);
  let message =
    count < open ? `Tick ${count} of ${open} open checklist items` : `Tick ${counted(count, 'checklist item')}`;
  for (let index = 0; index < named; index++) {
    const title = openItems[index] ?? '';
    message += (index === 0 ? ': ' : ', ') + title;
    if (awaiting.includes(title)) message += ' (marked not applicable, awaits an owner)';
  }
  return named > 0 && open > named ? `${message} and ${open - named} more` : message;
};

/** Names what must pass, and that the total stays as it is. */
export const fixTestsMessage = (count: number, total: number): string =>
  `Make ${counted(count, 'more test')} pass, with ${total} run in total`;

/** Why a new run is needed, under the policy's freshness. */
export const recordRunMessage = (
  { verification, testRunSetAside = null }: ReleaseFacts,
  { freshnessHours }: Policy,
): string => {
  if (testRunSetAside !== null)
    return 'Record a test run in which every test passes for each suite whose latest one is set aside';
  if (verification === null || freshnessHours === null) return 'Record a test run in which every test passes';
  const age = limitText(freshnessHours);
  return verification.runs > 1
    ? `Record a test run in which every test passes for each suite whose latest one is older than ${age}`
    : `Record a test run in which every test passes: the latest one is older than ${age}`;
};

/** Which suite is left out, and what the policy must say to count it. */
export const countEverySuiteMessage = (worse: SuiteRun): string =>
  `Only the latest test run counts, and ${worseSuiteText(worse)}: verification latest_per_suite in the policy counts every suite`;

const failures = ({ stability }: ReleaseFacts): string =>
  stability.failed === 1
    ? '1 failed deployment counts in the release window'
    : `${stability.failed} failed deployments count in the release window`;

/** A statement of what is missing, never advice to deploy. */
export const deploymentsMessage = (facts: ReleaseFacts, policy: Policy, least: LeastWork): string => {
  const { work, stabilityStuck, scoreStuck } = least;
  if (!stabilityStuck && !scoreStuck)
    return `Stability needs ${counted(work.deployments, 'more successful deployment')}`;
  const [demand, subject, goal] = stabilityStuck
    ? [policy.minimums.stability, 'stability', 'its minimum']
    : [policy.threshold, 'the score', 'the threshold'];
  const most = demand < 100 ? ` up to ${MAX_COUNT}` : '';
  if (stabilityStuck && stabilityBoundOf(policy) === 'upper_bound')
    return `No number of successful deployments${most} brings stability, by the upper bound of its failure rate, to its minimum of ${demand}`;
  return `No number of successful deployments${most} brings ${subject} to ${goal} of ${demand} while ${failures(facts)}`;
};
