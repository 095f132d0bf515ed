import type { Fault } from '../errors.js';
import type { ConfiguredHost } from './repository-host.js';
import type { IssueMapping, LinkSettings } from './repository-link.js';

/** Longest label or path prefix, in characters as people count them. */
export const LONGEST_LABEL = 200;
/** Most labels of one list. */
export const MOST_LABELS = 50;
/** Most milestones that can be chosen by number. */
export const MOST_MILESTONES = 200;

const CONTROL = /\p{Cc}/u;
const PARTS: Readonly<Record<keyof IssueMapping, string>> = {
  bug: 'bug',
  feature: 'feature',
  chore: 'chore',
  inProgress: 'in_progress',
  critical: 'critical',
  major: 'major',
  minor: 'minor',
};

const textFaults = (text: string, pointer: string, noun: string): readonly Fault[] => {
  const length = [...text].length;
  const sized = length >= 1 && length <= LONGEST_LABEL;
  return [
    ...(sized ? [] : [{ pointer, code: 'length', message: `${noun} must be 1 to ${LONGEST_LABEL} characters` }]),
    ...(CONTROL.test(text)
      ? [{ pointer, code: 'control_characters', message: `${noun} must have no control characters` }]
      : []),
  ];
};

const labelFaults = (labels: readonly string[], pointer: string): readonly Fault[] => [
  ...(labels.length > MOST_LABELS
    ? [{ pointer, code: 'too_many', message: `The labels must be ${MOST_LABELS} at most` }]
    : []),
  ...labels.flatMap((label, index) => textFaults(label, `${pointer}/${index}`, 'A label')),
];

const prefixFaults = (prefix: string | null): readonly Fault[] => {
  if (prefix === null) return [];
  const pointer = '/issue_filter/path_prefix';
  const sized = textFaults(prefix, pointer, 'The path prefix');
  if (prefix.startsWith('/'))
    return [...sized, { pointer, code: 'leading_slash', message: 'The path prefix must not begin with a slash' }];
  if (prefix === '' || !prefix.split('/').includes('')) return sized;
  return [
    ...sized,
    { pointer, code: 'empty_segment', message: 'The path prefix must have a name between its slashes' },
  ];
};

const milestoneFaults = (chosen: LinkSettings['milestones']): readonly Fault[] => {
  if (typeof chosen === 'string') return [];
  const pointer = '/milestones';
  const seen = new Set<number>();
  const faults: Fault[] = [];
  if (chosen.length > MOST_MILESTONES)
    faults.push({ pointer, code: 'too_many', message: `The milestones must be ${MOST_MILESTONES} at most` });
  chosen.forEach((number, index) => {
    const at = { pointer: `${pointer}/${index}` };
    if (!Number.isSafeInteger(number) || number < 1)
      faults.push({ ...at, code: 'out_of_range', message: 'A milestone must be a whole number from 1' });
    else if (seen.has(number))
      faults.push({ ...at, code: 'duplicate', message: `The milestone ${number} is named twice` });
    seen.add(number);
  });
  return faults;
};

const unsupported = (pointer: string, what: string): Fault => ({
  pointer,
  code: 'unsupported',
  message: `This repository host gives no ${what}`,
});

/**
 * Every fault of a link's settings, none for valid ones; `gives`: what the host can give at all. Pointers are into the wire
 * form (`/issue_filter/labels/0`, `/mapping/in_progress/3`). Codes: `length`, `control_characters`, `too_many`,
 * `leading_slash`, `empty_segment`, `out_of_range`, `duplicate`, `unsupported`.
 */
export const linkFaults = (
  { filter, mapping, milestones, deployments, testRuns }: LinkSettings,
  gives: ConfiguredHost['gives'],
): readonly Fault[] => [
  ...labelFaults(filter.labels, '/issue_filter/labels'),
  ...prefixFaults(filter.pathPrefix),
  ...(Object.keys(PARTS) as (keyof IssueMapping)[]).flatMap((part) =>
    labelFaults(mapping[part], `/mapping/${PARTS[part]}`),
  ),
  ...milestoneFaults(milestones),
  ...(deployments && !gives.deployments ? [unsupported('/deployments', 'deployments')] : []),
  ...(testRuns !== 'none' && !gives.testRuns.includes(testRuns) ? [unsupported('/test_runs', testRuns)] : []),
];
