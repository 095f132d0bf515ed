import type { ChecklistItem } from '@shipworthy/client';

/** Where a checklist is, for paths of the interface. */
export interface ChecklistPath {
  readonly team_id: string;
  readonly project_id: string;
  readonly release_id: string;
}

/** What somebody wants an item to become. */
export interface ItemChange {
  readonly state?: ChecklistItem['state'];
  readonly title?: string;
}

export const STATE_TITLES: Readonly<Record<ChecklistItem['state'], string>> = {
  open: 'Open',
  done: 'Done',
  not_applicable: 'Not applicable',
};

/** A change in words: `Done`, or the new title in quotes. */
export const changeText = ({ state, title }: ItemChange): string =>
  state === undefined ? `the title “${title}”` : STATE_TITLES[state];
