import type { ComponentChildren } from 'preact';

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
