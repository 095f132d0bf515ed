import type { OwnAxisRequest, Policy } from '@shipworthy/client';
import { isolated } from '../../../wording/isolate.js';
import { axisTitleOf } from '../../../wording/names.js';

type OwnAxis = NonNullable<Policy['own_axes']>[number];

/** An own axis in a form: numbers as they were typed. */
export interface OwnAxisDraft {
  readonly name: string;
  /** Empty: its name, written as a title. */
  readonly title: string;
  readonly one: string;
  readonly many: string;
  readonly weight: string;
  readonly minimum: string;
  readonly required: boolean;
  /** Empty: a report of any age counts. */
  readonly fresh: string;
}

/** What a new axis begins with: it is shown, and decides nothing yet. */
export const NEW_AXIS: OwnAxisDraft = {
  ...{ name: '', title: '', one: '', many: '', weight: '0', minimum: '0', required: false, fresh: '' },
};

/** Most own axes of a policy. */
export const MOST_AXES = 20;

export const ownAxisDraftOf = ({ name, title, unit, ...axis }: OwnAxis): OwnAxisDraft => ({
  name,
  title: title === axisTitleOf(name) ? '' : title,
  one: unit.one === 'part' && unit.many === 'parts' ? '' : unit.one,
  many: unit.one === 'part' && unit.many === 'parts' ? '' : unit.many,
  weight: String(axis.weight),
  minimum: String(axis.minimum),
  required: axis.required,
  fresh: axis.fresh_for_hours === null ? '' : String(axis.fresh_for_hours),
});

/** Notes what is wrong with a member of an axis, and reads its numbers. */
export interface ReadNumbers {
  readonly wrong: Record<string, string>;
  readonly weight: (pointer: string, text: string) => number;
  readonly score: (pointer: string, text: string) => number;
  readonly hours: (pointer: string, text: string) => number | null;
}

const NAME = /^[a-z][a-z0-9_]{1,39}$/;

const readAxis = (draft: OwnAxisDraft, at: number, { wrong, weight, score, hours }: ReadNumbers): OwnAxisRequest => {
  const pointer = `/own_axes/${at}`;
  const { name, title, one, many, required } = draft;
  if (!NAME.test(name))
    wrong[`${pointer}/name`] = 'Enter 2 to 40 small letters, digits and underscores, a letter first.';
  if ((one.trim() === '') !== (many.trim() === '')) wrong[`${pointer}/unit`] = 'Enter both, or neither.';
  const weighs = weight(`${pointer}/weight`, draft.weight);
  const minimum = score(`${pointer}/minimum`, draft.minimum);
  if (weighs === 0 && minimum > 0) wrong[`${pointer}/minimum`] = 'An axis of weight 0 has no minimum.';
  if (weighs === 0 && required) wrong[`${pointer}/required`] = 'An axis of weight 0 cannot be required.';
  return {
    name,
    ...(title.trim() === '' ? {} : { title }),
    ...(one.trim() === '' ? {} : { unit: { one, many } }),
    ...{ weight: weighs, minimum, required, fresh_for_hours: hours(`${pointer}/fresh_for_hours`, draft.fresh) },
  };
};

/** The own axes of drafts, with the faults of each by its pointer. */
export const readAxisDrafts = (drafts: readonly OwnAxisDraft[], numbers: ReadNumbers): readonly OwnAxisRequest[] => {
  const names = drafts.map(({ name }) => name);
  for (const [at, name] of names.entries())
    if (names.indexOf(name) !== at) numbers.wrong[`/own_axes/${at}/name`] = 'Another axis has this name.';
  return drafts.map((draft, at) => readAxis(draft, at, numbers));
};

/** What is demanded of each own axis, in words. */
export const ownAxisWords = (axes: readonly OwnAxisRequest[]): readonly (readonly [title: string, text: string])[] =>
  axes.map(({ name, title, unit, weight = 0, minimum = 0, required = false, fresh_for_hours: fresh = null }) => {
    const called = title === undefined || title === axisTitleOf(name) ? '' : `called ${isolated(title)}, `;
    const counts = unit === undefined || unit.many === 'parts' ? '' : `in ${isolated(unit.many)}, `;
    const asked = required ? ', must be measured' : '';
    const age = fresh === null ? '' : `, not older than ${fresh} hours`;
    return [`Own axis ${name}`, `${called}${counts}weight ${weight}, minimum ${minimum}${asked}${age}`] as const;
  });
