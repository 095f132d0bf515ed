import { type ComponentChildren, type RefObject, toChildArray } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PAGE_ROWS, type Paged } from '../api/paged.js';
import type { Rows } from '../api/read-rows.js';
import { dateText } from '../wording/moments.js';
import { countText } from '../wording/numbers.js';
import { Button } from './button.js';
import { FaultNotice } from './notice.js';

/** A column's head; a number's column is set to the right. */
export type TableHead = string | { readonly number: string };

interface TableProps {
  readonly label: string;
  readonly heads: readonly TableHead[];
  /** On narrow screens every row becomes a card; its cells name their heads in `data-head`. */
  readonly cards?: boolean;
  readonly children: ComponentChildren;
}

/** Rows of one kind. On narrow screens it scrolls in its own room, unless its rows are cards there. */
export const Table = ({ label, heads, cards, children }: TableProps) => (
  <TableFrame
    label={label}
    look={cards ? 'table cards' : 'table'}
    columns={heads.length}
    head={heads.map((head) =>
      typeof head === 'string' ? (
        <th key={head} scope="col">
          {head}
        </th>
      ) : (
        <th key={head.number} scope="col" class="number">
          {head.number}
        </th>
      ),
    )}
    bodies={[toChildArray(children)]}
  />
);

type RowsOfTable = ReturnType<typeof toChildArray>;

interface TableFrameProps {
  readonly label: string;
  /** Classes of the table. */
  readonly look: string;
  readonly columns: number;
  /** The cells of its head. */
  readonly head: ComponentChildren;
  /** The rows of each of its groups. */
  readonly bodies: readonly RowsOfTable[];
  readonly busy?: boolean;
}

/** A table with more rows than this has only those near the view in the document. */
const MOST_ROWS_WHOLE = 200;
/** How many rows of one group enter and leave the document together. */
export const ROWS_PER_PART = 50;

/**
 * A table with any head and rows. One with thousands of rows stays quick: those far from the view are not in the document until
 * they are scrolled to, or the page is printed. Each row then says which of how many it is.
 */
export const TableFrame = ({ label, look, columns, head, bodies, busy }: TableFrameProps) => {
  const parts = partsOf(bodies);
  const rows = bodies.flat().length;
  const isLong = rows > MOST_ROWS_WHOLE;
  const table = useKeptWidths(isLong, columns);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls must be reachable by keyboard */}
      <section class="table-room" tabIndex={0} aria-label={label} aria-busy={busy ? 'true' : undefined}>
        <table ref={table} class={look} aria-rowcount={isLong ? rows + 1 : undefined}>
          <thead>
            <tr aria-rowindex={isLong ? 1 : undefined}>{head}</tr>
          </thead>
          {parts.map((part) => (
            <RowsPart key={part.key} isLong={isLong} columns={columns} first={part.first}>
              {part.rows}
            </RowsPart>
          ))}
        </table>
      </section>
      {isLong ? <p class="small soft on-screen">The browser’s own search finds only the rows near the view.</p> : null}
    </>
  );
};

interface Part {
  readonly key: string;
  /** The number of its first row among all rows; the head is row 1. */
  readonly first: number;
  readonly rows: RowsOfTable;
}

/** Cuts each group into parts of 50 rows. Rows that arrive later change no earlier part, so that none is made anew. */
const partsOf = (bodies: readonly RowsOfTable[]): readonly Part[] => {
  const parts: Part[] = [];
  let first = 2;
  for (const [place, body] of bodies.entries())
    for (let start = 0; start < body.length; start += ROWS_PER_PART) {
      const rows = body.slice(start, start + ROWS_PER_PART);
      parts.push({ key: `${place}/${start}`, first, rows });
      first += rows.length;
    }
  return parts;
};

/** How far out of view rows stay in the document, so that Tab and scrolling find them there. */
const KEPT_AROUND_VIEW = '1500px 0px';

interface RowsPartProps {
  readonly isLong: boolean;
  readonly columns: number;
  readonly first: number;
  readonly children: RowsOfTable;
}

/** Some rows of a table; in a long one an empty row of their height while they are far from the view. */
const RowsPart = ({ isLong, columns, first, children }: RowsPartProps) => {
  const body = useRef<HTMLTableSectionElement>(null);
  /** The height of the rows when they left the document, in CSS pixels; null: they are in it. */
  const [heightWhileGone, setHeightWhileGone] = useState<number | null>(null);
  useLayoutEffect(() => {
    const { current } = body;
    if (!isLong || current === null) return;
    const show = () => setHeightWhileGone(null);
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.at(-1)?.isIntersecting === true) show();
        else if (!current.contains(document.activeElement)) setHeightWhileGone(current.getBoundingClientRect().height);
      },
      { rootMargin: KEPT_AROUND_VIEW },
    );
    const lookAgain = () => {
      observer.unobserve(current);
      observer.observe(current);
    };
    observer.observe(current);
    addEventListener('beforeprint', show);
    addEventListener('afterprint', lookAgain);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', show);
      removeEventListener('afterprint', lookAgain);
    };
  }, [isLong]);
  const isGone = isLong && heightWhileGone !== null;
  useLayoutEffect(() => {
    if (isGone) return;
    for (const [place, row] of [...(body.current?.rows ?? [])].entries())
      if (isLong) row.setAttribute('aria-rowindex', String(first + place));
      else row.removeAttribute('aria-rowindex');
  });
  return (
    <tbody ref={body}>
      {isGone ? (
        // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
        <tr class="unshown" aria-hidden="true">
          <td colSpan={columns} style={{ height: `${heightWhileGone}px` }} />
        </tr>
      ) : (
        children
      )}
    </tbody>
  );
};

/** Keeps the columns of a long table as wide as they are while rows come and go; measures them anew when its room changes. */
const useKeptWidths = (isLong: boolean, columns: number): RefObject<HTMLTableElement | null> => {
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    const { current } = table;
    const room = current?.parentElement;
    const heads = [...(current?.tHead?.rows[0]?.cells ?? [])];
    if (!isLong || current == null || room == null) return;
    const clearWidths = () => {
      for (const { style } of [current, ...heads]) style.cssText = '';
    };
    let measuredAt = -1;
    const measure = () => {
      if (room.clientWidth === measuredAt) return;
      measuredAt = room.clientWidth;
      clearWidths();
      // On narrow screens the rows are cards, which have no columns.
      if (getComputedStyle(current).display !== 'table') return;
      const { width } = current.getBoundingClientRect();
      const widths = heads.map((head) => head.getBoundingClientRect().width);
      for (const [place, { style }] of heads.entries()) style.width = `${((widths[place] ?? 0) / width) * 100}%`;
      current.style.tableLayout = 'fixed';
      if (width > measuredAt) current.style.width = `${width}px`;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(room);
    return () => {
      observer.disconnect();
      clearWidths();
    };
  }, [isLong, columns]);
  return table;
};

const shownText = ({ rows, next, keptSince }: Rows<unknown>, name: string, which: string): string => {
  if (next !== null) return `The ${which} ${countText(rows.length)} ${name} are shown.`;
  const all = rows.length === 1 ? 'This is the only one.' : `All ${countText(rows.length)} ${name} are shown.`;
  return keptSince === null
    ? all
    : `${all} Older ones than ${dateText(keptSince)} may have been removed for their age.`;
};

interface ShowMoreProps<Row> {
  readonly of: Pick<Paged<Row>, 'state' | 'more'>;
  /** What the rows are called, such as `issues`. */
  readonly rows: string;
  /** Which of them are shown while there are more: `latest` unless they may be sorted otherwise. */
  readonly which?: 'latest' | 'first';
}

/** How many rows of a list are shown, and the rest of it on demand. */
export const ShowMore = <Row,>({ of, rows, which = 'latest' }: ShowMoreProps<Row>) => {
  const { value } = of.state.value;
  if (value === undefined) return null;
  return (
    <div class="stack">
      {of.more.fault === undefined ? null : <FaultNotice fault={of.more.fault} />}
      <div class="row">
        {value.next === null ? null : (
          <Button busy={of.more.running} onClick={() => void of.more.run()}>
            Show more
          </Button>
        )}
        <span role="status" class="small soft">
          {shownText(value, rows, which)}
        </span>
        <BackToTop of={value.rows} />
      </div>
    </div>
  );
};

/** Leads from the end of a list with more than a few rows back to the heading of the screen. */
export const BackToTop = ({ of }: { readonly of: readonly unknown[] }) =>
  of.length <= PAGE_ROWS ? null : (
    <Button look="plain" onClick={() => document.querySelector<HTMLElement>('main h1')?.focus()}>
      Back to top
    </Button>
  );
