/** An answer as something between could have changed it. */
export interface Tampered {
  /** What was done to it, for a test's message. */
  readonly name: string;
  /** JSON Pointer of the member that was changed. */
  readonly pointer: string;
  readonly text: string;
}

type Path = readonly (string | number)[];

/** One value of each type that JSON has. */
const EACH_TYPE: readonly unknown[] = [0, true, 'x', [], {}];

/** What a decision could be mistaken for. */
const ODD_DECISIONS: readonly unknown[] = [
  ...['HOLD', 'hold_soft', '', 'GO', ' go', 'go ', 'go\n', 'g', 'no-go', 'null', 'undefined', 'unavailable'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...[0, 1, 1.5, -1, true, false, null, [], {}, ['go'], [['go']], { go: true }, { decision: 'go' }, { toString: 'go' }],
];

const pointerOf = (path: Path): string =>
  path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const pathsIn = (value: unknown, path: Path = []): readonly Path[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...members.flatMap(([name, member]) => pathsIn(member, [...path, name]))];
};

type Members = Record<string | number, unknown>;

/** A copy of the value with the member at the path changed by `change`; the path is not empty. */
const changed = (value: unknown, path: Path, change: (holder: Members, name: string | number) => void): unknown => {
  const copy = structuredClone(value);
  const holder = path.slice(0, -1).reduce((inside, name) => inside[name] as Members, copy as Members);
  change(holder, path.at(-1) ?? '');
  return copy;
};

const removed = (value: unknown, path: Path): unknown =>
  changed(value, path, (holder, name) => {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  });

const replaced = (value: unknown, path: Path, by: unknown): unknown =>
  path.length === 0
    ? by
    : changed(value, path, (holder, name) => {
        holder[name] = by;
      });

/** Every member of an answer removed, nulled and put into each other type in turn; what is named `decision` into more. */
export const tamperings = (text: string): readonly Tampered[] => {
  const answer: unknown = JSON.parse(text);
  return pathsIn(answer).flatMap((path) => {
    const pointer = pointerOf(path);
    const others = path.at(-1) === 'decision' ? [...EACH_TYPE, ...ODD_DECISIONS] : [null, ...EACH_TYPE];
    const changes = others.map((by) => ({
      name: `${pointer} = ${JSON.stringify(by)}`,
      to: replaced(answer, path, by),
    }));
    const without = path.length === 0 ? [] : [{ name: `${pointer} removed`, to: removed(answer, path) }];
    return [...without, ...changes].map(({ name, to }) => ({ name, pointer, text: JSON.stringify(to) }));
  });
};

/** Texts that are no whole answer of ours, or one of two meanings, each with its content type and status. */
export const NO_ANSWERS = (
  text: string,
): readonly (readonly [what: string, status: number, type: string, body: string])[] => {
  const json = 'application/json';
  return [
    ...[0.1, 0.5, 0.9].map((part) => ['cut off', 200, json, text.slice(0, Math.floor(text.length * part))] as const),
    ['cut by one character', 200, json, text.slice(0, -1)],
    ['with more behind it', 200, json, `${text}${text}`],
    ['empty', 200, json, ''],
    ['of white space', 200, json, ' \n'],
    ['a page', 200, 'text/html', '<html>"gate":{"decision":"go"}</html>'],
    ['a page that says it is JSON', 200, json, '<html>"gate":{"decision":"go"}</html>'],
    ['JSON that says it is a page', 200, 'text/html', text],
    ['nothing (204)', 204, json, ''],
    ['partial content (206) cut off', 206, json, text.slice(0, 100)],
    ['unchanged (304)', 304, json, ''],
    ['a redirect', 302, json, text],
    ['a redirect that keeps the method', 307, json, text],
    ['two decisions, hold first', 200, json, text.replaceAll('"decision":', '"decision":"hold","decision":')],
    ['two decisions, go first', 200, json, text.replaceAll('"decision":"go"', '"decision":"go","decision":"hold"')],
    [
      'two decisions, the second spelt by an escape',
      200,
      json,
      text.replaceAll('"decision":"go"', '"decision":"go","\\u0064ecision":"hold"'),
    ],
    ['two data, the second spelt by an escape', 200, json, `${text.slice(0, -1)},"d\\u0061ta":{}}`],
    ['two data, the first holds', 200, json, `{"data":{"gate":{"decision":"hold"}},${text.slice(1)}`],
    ['the decision elsewhere only', 200, json, JSON.stringify({ data: { decision: 'go' }, gate: { decision: 'go' } })],
    [
      'the decision inside a name only',
      200,
      json,
      JSON.stringify({ data: { project: { name: '"gate":{"decision":"go"' }, gate: { reasons: [] } } }),
    ],
  ];
};
