import type { ReadinessReport } from '@shipworthy/client';
import type { Schema } from '@shipworthy/client/contract';
import { harmless } from '../output/safe-text.js';
import { schemaFaults } from '../schema/schema-faults.js';
import { FLAG, listOf, orNull, TEXT, uses } from '../schema/used-members.js';

type OpsFacts = NonNullable<Extract<ReadinessReport['axes'][number], { readonly axis: 'ops' }>['facts']>;
type Mark = NonNullable<OpsFacts['not_applicable']>[number];

const TEXT_OR_NULL = orNull(TEXT);

/** What of the facts of ops says what was left out of the checklist. Both lists are missing where they are empty. */
export const CHECKLIST_MEMBERS: Readonly<Record<'not_applicable' | 'removed', Schema>> = {
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
 * What was left out of the launch checklist: items marked as not applicable with reason and person, and removed items.
 * Nothing where the answer cannot be read: the decision does not rest on it.
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
