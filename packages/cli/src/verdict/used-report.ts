import type { ReadinessReport } from '@shipworthy/client';
import type { Schema } from '@shipworthy/client/contract';
import { harmless } from '../output/safe-text.js';
import { FLAG, listOf, NUMBER, nullable, requireUsed, schemaFaults, TEXT, uses } from '../schema.js';

type OpsFacts = NonNullable<Extract<ReadinessReport['axes'][number], { readonly axis: 'ops' }>['facts']>;
type Mark = NonNullable<OpsFacts['not_applicable']>[number];

const TEXT_OR_NULL = nullable(TEXT);

/** The members of ops facts that list items left out of the checklist. An empty list is missing. */
const CHECKLIST_MEMBERS: Readonly<Record<'not_applicable' | 'removed', Schema>> = {
  not_applicable: listOf(
    uses({
      title: TEXT,
      reason: TEXT_OR_NULL,
      by: TEXT_OR_NULL,
      at: TEXT_OR_NULL,
      confirmed: FLAG,
      confirmed_by: TEXT_OR_NULL,
    }),
  ),
  removed: listOf(uses({ title: TEXT, by: TEXT, at: TEXT })),
};

const CHECKLIST_FACTS = uses(CHECKLIST_MEMBERS, 'not_applicable', 'removed');

const markLine = ({ title, reason, by, at, confirmed, confirmed_by }: Mark): string => {
  const made = by === null || at === null ? '' : `, marked by ${by} at ${at}`;
  const confirmation = confirmed_by === null ? '' : `, confirmed by ${confirmed_by}`;
  const because = reason === null ? 'no reason recorded' : reason;
  return `${confirmed ? 'not applicable' : 'awaits an owner, counts as open'}: ${title}${made}${confirmation}: ${because}`;
};

/**
 * Lines on items left out of the launch checklist: those marked as not applicable, with reason and person, and removed ones.
 * None when that part of the answer cannot be read: the decision does not depend on it.
 */
export const checklistLines = ({ axes }: Pick<ReadinessReport, 'axes'>): readonly string[] => {
  const ops = axes.find(({ axis }) => axis === 'ops');
  if (ops?.axis !== 'ops' || ops.facts === undefined || schemaFaults(CHECKLIST_FACTS, ops.facts, '').length > 0)
    return [];
  const { not_applicable: marks = [], removed = [] } = ops.facts;
  return [
    ...marks.map(markLine),
    ...removed.map(({ title, by, at }) => `removed from the checklist: ${title}, by ${by} at ${at}`),
  ].map(harmless);
};

/** The members of a gate that are shown. Its decision is one of the three words; the client refuses any other. */
export const GATE: Schema = uses({
  decision: TEXT,
  decision_without_waivers: TEXT,
  reasons: listOf(uses({ message: TEXT, waived: FLAG })),
  waivers: listOf(uses({ code: TEXT, axis: TEXT, created_by: TEXT, expires_at: TEXT, text: TEXT }, 'axis')),
  next_steps: listOf(uses({ message: TEXT, gain: nullable(NUMBER) })),
});

const standings = listOf(uses({ state: TEXT, weight: NUMBER }));
const judged = { score: nullable(NUMBER), coverage: NUMBER, axes: standings, own_axes: standings, gate: GATE };
const named = uses({ id: TEXT, name: TEXT });

/** The members of a report that the gate's text needs. */
export const REPORT: Schema = uses(
  { ...judged, project: named, release: named, as_of: TEXT, frozen_at: TEXT },
  'frozen_at',
  'own_axes',
);

/** The members of a what-if that are shown: the report with the assumed changes, and the figures before them. */
export const WHAT_IF: Schema = uses({
  report: uses(judged, 'own_axes'),
  before: uses({ score: nullable(NUMBER), coverage: NUMBER, decision: TEXT }),
});

const COUNTS = { done: NUMBER, total: NUMBER };
const OPEN_BUGS = uses({ critical: NUMBER, major: NUMBER, minor: NUMBER, unspecified: NUMBER });

/** The counts of each axis that this version knows. */
const FACTS: Readonly<Record<string, Schema>> = {
  scope: uses(COUNTS),
  quality: uses({ resolved: NUMBER, total: NUMBER, open: OPEN_BUGS }),
  ops: uses({ ...COUNTS, ...CHECKLIST_MEMBERS }, 'not_applicable', 'removed'),
  verification: uses({ passed: NUMBER, total: NUMBER }),
  stability: uses({ succeeded: NUMBER, failed: NUMBER, in_progress: NUMBER }),
};

type Reading = ReadinessReport['axes'][number] | NonNullable<ReadinessReport['own_axes']>[number];

const readingOf = ({ axis, state }: Partial<Reading>): Schema => {
  const known = typeof axis === 'string' && Object.hasOwn(FACTS, axis) ? FACTS[axis] : undefined;
  const facts = known === undefined ? {} : { facts: known };
  const always = { axis: TEXT, state: TEXT, weight: NUMBER, explanation: TEXT };
  return state === 'measured'
    ? uses({ ...always, score: NUMBER, ...facts })
    : uses({ ...always, cause: TEXT, ...facts }, 'cause', 'facts');
};

/** Looks at all that is said of single axes. Failure (exit 5) naming the members that are missing or of another type. */
export const requireReadings = (route: string, axes: readonly Reading[], pointer: string): void => {
  for (const [index, reading] of axes.entries()) requireUsed(route, readingOf(reading), reading, `${pointer}/${index}`);
};

const SILENCES = uses({
  silent_sources: listOf(uses({ source: TEXT, last_at: TEXT, limit_hours: NUMBER, basis: TEXT })),
  formula: TEXT,
});

/** Looks at all that an explained score is said from. Failure (exit 5) likewise. */
export const requireExplained = (route: string, report: ReadinessReport): void => {
  requireReadings(route, report.axes, '/data/axes');
  requireReadings(route, report.own_axes ?? [], '/data/own_axes');
  requireUsed(route, SILENCES, report, '/data');
};
