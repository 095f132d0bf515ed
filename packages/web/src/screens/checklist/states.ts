import type { ChecklistItem } from '@shipworthy/client';
import { isolated } from '../../wording/isolate.js';

/** The path parameters of a checklist in the API. */
export interface ChecklistPath {
  readonly team_id: string;
  readonly project_id: string;
  readonly release_id: string;
}

/** A change of an item that a person asks for. */
export interface ItemChange {
  readonly state?: ChecklistItem['state'];
  readonly title?: string;
  readonly reason?: string;
}

export const STATE_TITLES: Readonly<Record<ChecklistItem['state'], string>> = {
  open: 'Open',
  done: 'Done',
  not_applicable: 'Not applicable',
};

/** Whether an item was marked as not applicable and no owner has confirmed it: it counts as open. */
export const awaitsOwner = ({ state, confirmed_at }: Pick<ChecklistItem, 'state' | 'confirmed_at'>): boolean =>
  state === 'not_applicable' && confirmed_at === null;

/** A change in words: `Done`, or the new title or reason in quotes. */
export const changeText = ({ state, title, reason }: ItemChange): string => {
  const because = reason === undefined ? '' : `“${isolated(reason)}”`;
  if (state !== undefined) return because === '' ? STATE_TITLES[state] : `${STATE_TITLES[state]}: ${because}`;
  return title === undefined ? `the reason ${because}` : `the title “${isolated(title)}”`;
};

/** The change that puts an item back to the state it has now; undefined: that state cannot be set again without a reason. */
export const returnTo = ({ state, reason }: Pick<ChecklistItem, 'state' | 'reason'>): ItemChange | undefined => {
  if (state !== 'not_applicable') return { state };
  return reason === null ? undefined : { state, reason };
};
