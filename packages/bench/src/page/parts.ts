const MARK = /^<!-- row: (\S+) -->\n/m;

/** A page of figures taken apart. */
export interface PageParts {
  /** What stands before the first section. */
  readonly head: string;
  /** The sections by the name of their row. */
  readonly sections: ReadonlyMap<string, string>;
}

/** Marks a section as that of a row; the mark is not seen on the rendered page. */
export const withMark = (name: string, section: string): string => `<!-- row: ${name} -->\n${section}`;

/** Takes a page apart at its marks. A page without any has neither head nor sections: nothing of it could be kept. */
export const partsOf = (page: string): PageParts => {
  const [head = '', ...rest] = page.split(MARK);
  const sections = new Map<string, string>();
  for (let at = 0; at + 1 < rest.length; at += 2) sections.set(rest[at] ?? '', (rest[at + 1] ?? '').trim());
  return { head: sections.size === 0 ? '' : head.trim(), sections };
};
