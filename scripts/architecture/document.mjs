/** Checks that the files ARCHITECTURE.md names exist, and that its picture of the packages shows the allowed arrows. */

const NAME = 'ARCHITECTURE.md';
/** How many files the picture of a report's way may name: a newcomer cannot follow more. */
const MOST_ON_THE_WAY = 30;
const WAY = /## A report's way[^\n]*\n([\s\S]*?)(?=\n## |$)/;
const FILE = /(?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|json|md)\b/g;
const FOLDER = /`((?:[\w.-]+\/)+[\w-]+)\/?`/g;

/** The arrows of the first picture: `from -> to`, `from -> to/entry`. */
const drawnIn = (text) => {
  const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(text) ?? [];
  return [...picture.matchAll(/^\s*([\w-]+) -->(?:\|([^|]+)\|)? ([\w-]+)$/gm)].flatMap(([, from, entries, to]) =>
    entries === undefined ? [`${from} -> ${to}`] : entries.split(', ').map((entry) => `${from} -> ${to}/${entry}`),
  );
};

/**
 * Checks ARCHITECTURE.md: calls `breach` where it names a path that does not exist, and where its picture of the packages differs
 * from `allowed` (texts such as `server -> domain`). `exists` tests a path; the document may leave out a leading `packages/`.
 */
export const checkDocument = (text, allowed, exists, breach) => {
  const isThere = (path) => exists(path) || exists(`packages/${path}`);
  const named = new Set([...(text.match(FILE) ?? []), ...[...text.matchAll(FOLDER)].map(([, folder]) => folder)]);
  for (const path of named) if (!isThere(path)) breach(NAME, `names ${path}, which does not exist`);
  const drawn = drawnIn(text);
  for (const arrow of allowed) if (!drawn.includes(arrow)) breach(NAME, `its picture lacks the arrow ${arrow}`);
  for (const arrow of drawn)
    if (!allowed.includes(arrow)) breach(NAME, `its picture has the arrow ${arrow}, which is not allowed`);
  const [, way = ''] = WAY.exec(text) ?? [];
  const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(way) ?? [];
  const onTheWay = new Set(picture.match(FILE)).size;
  if (onTheWay === 0 || onTheWay > MOST_ON_THE_WAY)
    breach(NAME, `the way of a report names ${onTheWay} files; 1 to ${MOST_ON_THE_WAY}`);
};
