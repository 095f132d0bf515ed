import type { ComponentChildren } from 'preact';

/** A column's head; a number's column is set to the right. */
export type TableHead = string | { readonly number: string };

interface TableProps {
  readonly label: string;
  readonly heads: readonly TableHead[];
  readonly children: ComponentChildren;
}

/** Rows of one kind. On narrow screens it scrolls in its own room. */
export const Table = ({ label, heads, children }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls must be reachable by keyboard
  <section class="table-room" tabIndex={0} aria-label={label}>
    <table class="table">
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
