import * as fc from 'fast-check';

/** One fault in a value: at the so-manieth place of it, counted from outside. */
export interface Fault {
  readonly at: number;
  readonly kind: string;
}

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

/** The replacement of a value. */
const INSTEAD: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  'a number': 12_345,
  'a text': 'x',
  'a list': [],
  'an object': {},
  'nothing in it': '',
  blanks: '   ',
  'a long text': 'x'.repeat(3000),
  'NUL in it': 'a\0b',
  'a line break': 'a\nb',
  'half a character': 'a\ud800',
  'a negative number': -1,
  'a fraction': 0.123_456_789,
  'a great number': 1e308,
  'an unsafe number': 2 ** 53,
  'no day': '2026-02-30T00:00:00Z',
  'a leap second': '2016-12-31T23:59:60Z',
  'a script': 'javascript:alert(1)',
  'many levels': deep(60),
  'many items': Array.from({ length: 2000 }, () => 1),
  'a number as text': '1',
  'its own name': '__proto__',
};
/** What is added to an object. */
const ADDED: Readonly<Record<string, string>> = {
  'a surplus member': 'surplus',
  'a prototype': '__proto__',
  'a constructor': 'constructor',
  'an id of its own': 'id',
};
const ABSENT = 'absent';

export const faults: fc.Arbitrary<Fault> = fc.record({
  at: fc.nat(12),
  kind: fc.constantFrom(ABSENT, ...Object.keys(INSTEAD), ...Object.keys(ADDED)),
});

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

const placesIn = (holder: Record<string, unknown>): readonly Place[] =>
  Object.keys(holder).flatMap((name) => {
    const value = holder[name];
    const inner = typeof value === 'object' && value !== null ? placesIn(value as Record<string, unknown>) : [];
    return [{ holder, name }, ...inner];
  });

/** The value with that fault in it. */
export const withFault = (value: unknown, { at, kind }: Fault): unknown => {
  const root: Record<string, unknown> = { value: structuredClone(value) };
  const places = placesIn(root);
  const { holder, name } = places[at % places.length] ?? { holder: root, name: 'value' };
  const added = ADDED[kind];
  if (kind === ABSENT && holder !== root) {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  } else if (added !== undefined) {
    const target = holder === root ? root.value : holder;
    if (typeof target === 'object' && target !== null && !Array.isArray(target))
      Object.defineProperty(target, added, { value: { x: 1 }, enumerable: true, configurable: true, writable: true });
  } else holder[name] = INSTEAD[kind] ?? null;
  return root.value;
};
