import type { HistoryPoint } from '@shipworthy/client';
import { spans } from '../../../charts/step-path.js';
import { dateText } from '../../../wording/moments.js';
import { DECISION_TITLES } from '../../../wording/names.js';
import { countOf, scoreText } from '../../../wording/numbers.js';

type Kind = HistoryPoint['causes'][number]['kind'];

const NAMES: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  deployment: ['deployment', 'deployments'],
  test_run: ['test run', 'test runs'],
  issue: ['issue', 'issues'],
  checklist_item: ['checklist item', 'checklist items'],
  waiver: ['waiver', 'waivers'],
  policy: ['change of the policy', 'changes of the policy'],
  release: ['change of the release', 'changes of the release'],
  project: ['change of the project', 'changes of the project'],
  time_limit: ['time limit', 'time limits'],
};

/** What moved a point: `2 deployments, 1 test run`. A record that moved it twice is one. */
export const causesText = ({ causes, cause_count }: Pick<HistoryPoint, 'causes' | 'cause_count'>): string => {
  const records = new Map<Kind, Set<string>>();
  for (const { kind, id } of causes) records.set(kind, (records.get(kind) ?? new Set()).add(id));
  const texts = [...records].map(([kind, ids]) => countOf(ids.size, ...NAMES[kind]));
  const rest = cause_count - causes.length;
  return [...texts, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
};

const pointText = ({ score }: Pick<HistoryPoint, 'score'>): string => (score === null ? 'no score' : scoreText(score));

/** The whole course in a sentence. Points are in order of time, one at least. */
export const courseText = (points: readonly HistoryPoint[]): string => {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return 'Nothing was recorded yet.';
  const changes = spans(
    points.map(({ at, decision }) => ({ at: Date.parse(at), value: decision })),
    Date.parse(last.at),
  );
  const moved =
    changes.length === 1 ? 'never changed' : `changed ${changes.length === 2 ? 'once' : `${changes.length - 1} times`}`;
  return `From ${pointText(first)} on ${dateText(first.at)} to ${pointText(last)}; the gate ${moved} and says ${DECISION_TITLES[last.decision].toLowerCase()}.`;
};
