import { expect } from 'chai';
import fc from 'fast-check';
import { type JsonLeaf, JsonWalk } from '../src/json-walk.js';
import { BrokenReport } from '../src/tally.js';

/** The leaves of a document with their paths, as text; undefined when it is refused. */
const walked = (text: string, size: number): readonly string[] | undefined => {
  const seen: string[] = [];
  const walk = new JsonWalk({
    open: (path, kind) => seen.push(`${kind} ${JSON.stringify(path)}`),
    value: (path, value) => seen.push(`${JSON.stringify(path)} ${JSON.stringify(value)}`),
    close: (path) => seen.push(`end ${JSON.stringify(path)}`),
  });
  try {
    for (let at = 0; at < text.length; at += size) walk.write(text.slice(at, at + size));
    walk.end();
    return seen;
  } catch (error) {
    if (error instanceof BrokenReport) return undefined;
    throw error;
  }
};

/** The same, from the document as a whole. */
const listed = (value: unknown, path: readonly (string | number)[] = []): readonly string[] => {
  if (typeof value !== 'object' || value === null)
    return [`${JSON.stringify(path)} ${JSON.stringify(value as JsonLeaf)}`];
  const [kind, members] = Array.isArray(value) ? ['list', [...value.entries()]] : ['object', Object.entries(value)];
  const inner = (members as readonly [string | number, unknown][]).flatMap(([key, one]) => listed(one, [...path, key]));
  return [`${kind} ${JSON.stringify(path)}`, ...inner, `end ${JSON.stringify(path)}`];
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('JsonWalk', () => {
  it('tells every object, list and value with its path, in any pieces', () => {
    const documents = fc.oneof(fc.object({ maxDepth: 4 }), fc.array(fc.jsonValue()));
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 20 }), fc.boolean(), (value, size, wide) => {
        const text = JSON.stringify(value, null, wide ? 2 : 0);
        // As JSON says it: without what JSON cannot say.
        expect(walked(text, size)).to.deep.equal(listed(JSON.parse(text)));
      }),
    );
  });

  it('refuses what is no JSON document', () => {
    const parts = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', 'null', 'true', ' ', '\n', '-', '01', 'x');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (some) => {
        const text = `[${some.join('')}]`;
        expect(walked(text, 3) !== undefined, text).to.equal(isJson(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('names the line of a fault', () => {
    const walk = new JsonWalk({ open: () => undefined, value: () => undefined, close: () => undefined });
    expect(() => walk.write('{\n"a": 1,\n\n"b" 2}'))
      .to.throw(BrokenReport)
      .with.property('line', 4);
    const cut = new JsonWalk({ open: () => undefined, value: () => undefined, close: () => undefined });
    cut.write('{\n"a": [');
    expect(() => cut.end())
      .to.throw('cut short')
      .with.property('line', 2);
  });

  it('refuses a name that comes twice in one object, however many names are between', () => {
    for (const members of [2, 3, 16, 17, 18, 40])
      for (const again of [0, 1, members - 1]) {
        const names = Array.from({ length: members }, (_, at) => `n${at}`);
        const object = (all: readonly string[]) => `{${all.map((name) => `"${name}": {"n0": 1}`).join(',')}}`;
        expect(walked(`[${object(names)}, ${object(names)}]`, 5)).not.to.equal(undefined);
        expect(walked(`[${object(names)}, ${object([...names, `n${again}`])}]`, 5)).to.equal(undefined);
      }
  });

  it('refuses what is nested without end', () => {
    const walk = new JsonWalk({ open: () => undefined, value: () => undefined, close: () => undefined });
    expect(() => walk.write('['.repeat(5000))).to.throw('nested more than 1000 levels deep');
  });
});
