import type { ComponentChildren } from 'preact';
import type { Paged } from '../api/paged.js';
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
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls must be reachable by keyboard
  <section class="table-room" tabIndex={0} aria-label={label}>
    <table class={cards ? 'table cards' : 'table'}>
      <thead>
        <tr>
          {heads.map((head) =>
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
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

const shownText = ({ rows, next, keptSince }: Rows<unknown>, name: string, which: string): string => {
  if (next !== null) return `The ${which} ${countText(rows.length)} ${name} are shown.`;
  const all = rows.length === 1 ? 'This is the only one.' : `All ${countText(rows.length)} ${name} are shown.`;
  return keptSince === null
    ? all
    : `${all} Older ones than ${dateText(keptSince)} may have been removed for their age.`;
};

interface ShowMoreProps<Row> {
  readonly of: Pick<Paged<Row>, 'state' | 'more'>;
  /** What the rows are. */
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
      </div>
    </div>
  );
};
