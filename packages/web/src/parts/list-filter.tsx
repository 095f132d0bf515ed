import { holdsWords, searchTextOf } from '@shipworthy/domain/search';
import { useRef } from 'preact/hooks';
import { BASE_PATH, type ReleasePlace } from '../navigation/places.js';
import { dayAfter, momentOfLocalDay } from '../wording/moments.js';
import { Choice, TextField } from './field.js';
import './list-filter.css';

/** What a list is filtered and sorted by, as members of the API's query. */
type Wanted = Readonly<Record<string, string>>;

/** Keeps the members of a filter that are not empty. */
export const withoutEmpty = <Members extends Wanted>(members: Members): Partial<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '')) as Partial<Members>;

/** The choice that the address names; empty: it names none, or an unknown one. */
export const chosenOf = <Value extends string>(
  choices: readonly (readonly [Value, string])[],
  text: string | undefined,
): Value | '' => choices.find(([value]) => value === text)?.[0] ?? '';

/** The text as the API searches for it: trimmed, 100 characters at most. */
export const searchQuery = (text: string): string => text.trim().slice(0, 100);

interface FindProps {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** A list with more rows than this has a search field. */
export const MOST_ROWS_WITHOUT_SEARCH = 5;

/** Returns a test whether names hold every word of a text, by the server’s rule; for lists that are read as a whole. */
export const foundBy = (text: string): ((names: string) => boolean) => holdsWords(searchTextOf(searchQuery(text)));

/** The search field of a list. */
export const FindField = ({ text, onText, ...said }: FindProps) => (
  <TextField {...said} type="search" autocomplete="off" value={text} onValue={onText} />
);

/** Whether to show a search field. It stays once it was needed: a field that disappears while a person types loses the focus. */
export const useShownOnce = (isNeeded: boolean): boolean => {
  const shown = useRef(false);
  shown.current ||= isNeeded;
  return shown.current;
};

interface ExportProps {
  /** The team, project or release whose list it is. */
  readonly place?: Partial<ReleasePlace>;
  readonly file: `${string}.csv`;
  readonly wanted?: Wanted;
  /** The name of a list that is only a part of its screen: the button is then small, and not printed. */
  readonly of?: string;
}

/** Saves a list as CSV, with the filter and the order that it is shown in. The answer names the file. */
export const ExportCsv = ({ place: { teamId, projectId, releaseId } = {}, file, wanted = {}, of }: ExportProps) => {
  const pathParts = Object.entries({ teams: teamId, projects: projectId, releases: releaseId });
  const within = pathParts.map(([pathPart, id]) => (id === undefined ? '' : `${pathPart}/${id}/`)).join('');
  return (
    <a
      class={of === undefined ? 'button' : 'button compact on-screen'}
      href={`${BASE_PATH}/api/${within}${file}?${new URLSearchParams(wanted)}`}
      aria-label={of === undefined ? undefined : `Export CSV of ${of}`}
      download
    >
      Export CSV
    </a>
  );
};

/** The order of a list by time, as the address says it; empty: newest first. */
export type TimeOrder = '' | 'asc';

const TIME_ORDERS = [
  ['', 'Newest first'],
  ['asc', 'Oldest first'],
] as const;

/** The order that the address names. */
export const timeOrderIn = (text: string | undefined): TimeOrder => chosenOf(TIME_ORDERS, text);

/** The query member that asks for that order. */
export const orderQuery = (order: TimeOrder) => (order === '' ? {} : { order });

/** The choice between newest first and oldest first. */
export const TimeOrderChoice = ({
  order,
  onOrder,
}: {
  readonly order: TimeOrder;
  onOrder: (order: TimeOrder) => void;
}) => <Choice label="Sort" value={order} choices={TIME_ORDERS} onValue={onOrder} />;

/** Calendar days in the reader's time zone, both included; empty: no bound. */
export interface DaySpan {
  readonly from: string;
  readonly to: string;
}

/** The fields for the first and the last day of a list. */
export const DaySpanFields = ({ span, onSpan }: { readonly span: DaySpan; onSpan: (span: DaySpan) => void }) => (
  <>
    <TextField label="From" type="date" value={span.from} onValue={(from) => onSpan({ ...span, from })} />
    <TextField label="To" type="date" value={span.to} onValue={(to) => onSpan({ ...span, to })} />
  </>
);

/** A day whose year is typed completely: while 2026 is typed, the date field has the year 0002 first. */
const DAY = /^(?:19[7-9]|[2-9]\d\d)\d-\d\d-\d\d$/;

/** Returns the first moment of a span and the first moment after it; empty: no such bound. */
export const momentsOf = ({ from, to }: DaySpan): DaySpan => ({
  from: DAY.test(from) ? momentOfLocalDay(from, '00:00:00') : '',
  to: DAY.test(to) ? momentOfLocalDay(dayAfter(to), '00:00:00') : '',
});
