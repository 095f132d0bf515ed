import type { ReadinessReport } from '@shipworthy/client';
import { harmless } from '../output/screen.js';

type OpsFacts = NonNullable<Extract<ReadinessReport['axes'][number], { readonly axis: 'ops' }>['facts']>;
type Mark = NonNullable<OpsFacts['not_applicable']>[number];

const markLine = ({ title, reason, by, at, confirmed, confirmed_by }: Mark): string => {
  const made = by === null || at === null ? '' : `, marked by ${by} at ${at}`;
  const confirmation = confirmed_by === null ? '' : `, confirmed by ${confirmed_by}`;
  const because = reason === null ? 'no reason recorded' : reason;
  return `${confirmed ? 'not applicable' : 'awaits an owner, counts as open'}: ${title}${made}${confirmation}: ${because}`;
};

/** What was taken out of the launch checklist: items marked as not applicable with reason and person, and removed items. */
export const checklistLines = ({ axes }: Pick<ReadinessReport, 'axes'>): readonly string[] => {
  const ops = axes.find((reading) => reading.axis === 'ops');
  if (ops?.axis !== 'ops' || ops.facts === undefined) return [];
  const { not_applicable: marks = [], removed = [] } = ops.facts;
  return [
    ...marks.map(markLine),
    ...removed.map(({ title, by, at }) => `removed from the checklist: ${title}, by ${by} at ${at}`),
  ].map(harmless);
};
