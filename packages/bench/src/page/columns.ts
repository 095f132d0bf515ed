/** Rows of cells as columns of text; the columns in `right` are flush right. */
export const textColumns = (rows: readonly (readonly string[])[], right: readonly number[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (text: string, column: number): string =>
    right.includes(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
};

/** Rows of cells under their headings as a Markdown table; the columns in `right` are flush right. */
export const markdownColumns = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[],
): string =>
  [headings, headings.map((_, column) => (right.includes(column) ? '---:' : '---')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
