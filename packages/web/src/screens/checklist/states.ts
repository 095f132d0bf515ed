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

/** How a change is taken back. */
interface WayBack {
  readonly change: ItemChange;
  /** What it does not bring back, as a sentence after a space; empty: nothing. */
  readonly lost: string;
}

/** Returns the way back from a change; undefined: the former state cannot be set again, since it has no reason. */
export const wayBack = (before: ChecklistItem, { state }: ItemChange, owner: boolean): WayBack | undefined => {
  const marked = before.state === 'not_applicable';
  if (state === undefined) {
    // Renamed by a member, a mark loses its confirmation.
    const isLost = marked && !owner && !awaitsOwner(before);
    return { change: { title: before.title }, lost: isLost ? ' An owner must confirm it again, also after Undo.' : '' };
  }
  if (!marked) return { change: { state: before.state }, lost: '' };
  if (before.reason === null) return undefined;
  // The person who presses Undo marks the item anew; an owner who marks an item confirms that at once.
  const lost = owner ? ' Undo marks it as confirmed by you.' : ' Undo marks it in your name; an owner must confirm it.';
  return { change: { state: before.state, reason: before.reason }, lost };
};
