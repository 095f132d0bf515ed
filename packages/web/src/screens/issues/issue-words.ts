import type { Issue } from '@shipworthy/client';

export const ISSUE_STATES: Readonly<Record<Issue['state'], string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  done: 'Done',
  canceled: 'Canceled',
};

export const STATE_CHOICES: readonly (readonly [Issue['state'], string])[] = [
  ['todo', ISSUE_STATES.todo],
  ['in_progress', ISSUE_STATES.in_progress],
  ['done', ISSUE_STATES.done],
  ['canceled', ISSUE_STATES.canceled],
];

export const TYPE_CHOICES: readonly (readonly [Issue['type'], string])[] = [
  ['feature', 'Feature'],
  ['bug', 'Bug'],
  ['task', 'Task'],
  ['chore', 'Chore'],
];

export type SeverityChoice = NonNullable<Issue['severity']> | '';

export const SEVERITY_CHOICES: readonly (readonly [SeverityChoice, string])[] = [
  ['', 'Not said'],
  ['critical', 'Critical'],
  ['major', 'Major'],
  ['minor', 'Minor'],
];

/** `Feature`, or of a bug how bad it is too: `Bug, critical`. */
export const kindText = ({ type, severity }: Pick<Issue, 'type' | 'severity'>): string => {
  const title = TYPE_CHOICES.find(([each]) => each === type)?.[1] ?? type;
  return severity === null ? title : `${title}, ${severity}`;
};
