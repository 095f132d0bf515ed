import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readDocument, root } from './documents.js';

const { text } = readDocument('SECURITY.md');
const ROOMS = readdirSync(join(root, 'packages'));
const FROM_THE_ROOT = /^(packages|docs|examples|scripts|integrations)\//;
const TEST = /\.(test|contract)\.ts$/;
const ITEM = /\b\d+\.\d+\.\d+\b/g;

/** The files a part of the document names, from the root. */
const filesIn = (part: string): readonly string[] =>
  [...part.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => FROM_THE_ROOT.test(path) || ROOMS.includes(path.split('/')[0] ?? ''))
    .filter((path) => /\.\w+$/.test(path))
    .map((path) => (FROM_THE_ROOT.test(path) ? path : join('packages', path)));

/** The text under a heading, up to the next of the same or a higher level. */
const under = (heading: string): string => {
  const [marks = ''] = heading.split(' ');
  const from = text.indexOf(`\n${heading}`);
  expect(from, heading).to.be.above(0);
  const rest = text.slice(from + heading.length + 1);
  const end = rest.search(new RegExp(`\\n#{2,${marks.length}} `));
  return end < 0 ? rest : rest.slice(0, end);
};

/** Rows of the tables of a part, without their heads. */
const rowsOf = (part: string): readonly (readonly string[])[] =>
  [...part.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | '))
    .filter((_, index, rows) => !rows[index + 1]?.[0]?.startsWith('---') && !rows[index]?.[0]?.startsWith('---'));

const CHAPTERS = Array.from({ length: 17 }, (_, index) => index + 1);

describe('SECURITY.md', () => {
  it('names only files that exist, a hundred at least', () => {
    const named = new Set(filesIn(text));
    expect(named.size).to.be.above(100);
    for (const file of named) expect(existsSync(join(root, file)), file).to.equal(true);
  });

  it('leads to sections that it has', () => {
    const sections = [...text.matchAll(/"([A-Z][\w ]+)"(?: and "([A-Z][\w ]+)")? (?:above|below)/g)];
    expect(sections).to.have.lengthOf.at.least(8);
    for (const name of sections.flatMap(([, one, other]) => [one, other])) if (name) under(`## ${name}`);
  });

  it('names a test for each threat and each use of cryptography', () => {
    for (const heading of ['## Threats', '## Cryptography']) {
      const rows = rowsOf(under(heading));
      expect(rows).to.have.lengthOf.at.least(8);
      for (const row of rows)
        expect(
          filesIn(row.at(-1) ?? '').some((file) => TEST.test(file)),
          row[0],
        ).to.equal(true);
    }
  });

  it('says of each actor what they are kept from', () => {
    const threats = rowsOf(under('## Threats')).map(([, by = '']) => by);
    const actors = rowsOf(under('## Actors')).map(([actor = '']) => actor);
    expect(actors).to.have.lengthOf(7);
    for (const actor of actors.filter((one) => one !== 'operator'))
      expect(
        threats.some((by) => by.includes(actor)),
        actor,
      ).to.equal(true);
  });

  it('has a file of its own for each of the ten risks of APIs, which says so', () => {
    const rows = rowsOf(under('## OWASP API Security Top 10'));
    expect(rows.map(([risk = '']) => risk.split(' ')[0])).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
    );
    for (const [risk = '', file = ''] of rows) {
      const [path = ''] = filesIn(file);
      expect(readFileSync(join(root, path), 'utf8'), path).to.contain(`describe('OWASP ${risk.split(' ')[0]}, `);
    }
  });

  for (const chapter of CHAPTERS)
    it(`goes through chapter V${chapter} of the ASVS, each item with what covers it or that nothing does`, () => {
      const part = under(`### V${chapter} `);
      if (/^Does not apply: /m.test(part)) return;
      const rows = rowsOf(part);
      expect(rows).to.have.lengthOf.at.least(1);
      const items = rows.flatMap(([numbers = '']) => numbers.match(ITEM) ?? expect.fail(`No item: ${numbers}`));
      expect(items).to.have.lengthOf(new Set(items).size);
      for (const item of items) expect(item.split('.')[0], item).to.equal(String(chapter));
      for (const [item, asks = '', cover = ''] of rows) {
        expect(asks.length, item).to.be.above(5);
        const covered = filesIn(cover).length > 0 || / above| below/.test(cover);
        expect(covered || /Not covered|none|does not/.test(cover), `${item}: ${cover}`).to.equal(true);
      }
    });
});

describe('what SECURITY.md says of the source', () => {
  // What measures is shipped nowhere.
  const sources = ROOMS.filter((room) => room !== 'bench')
    .flatMap((room) =>
      readdirSync(join(root, 'packages', room, 'src'), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
    )
    .map((path) => ({ path, code: readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') }));
  const where = (pattern: RegExp) =>
    sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path.slice(root.length));

  it('is true: nothing evaluates text or sets HTML', () => {
    expect(sources.length).to.be.above(500);
    expect(where(/\beval\(|new Function\(|node:vm|dangerouslySetInnerHTML|\.innerHTML\b|\.outerHTML\b/)).to.deep.equal(
      [],
    );
  });

  it('is true: the browser keeps the colours, the density and a mark against reloading for ever, nothing else', () => {
    expect(where(/localStorage|sessionStorage|indexedDB|document\.cookie/)).to.have.members([
      'packages/web/src/appearance/appearance.ts',
      'packages/web/src/shell/later.tsx',
    ]);
  });

  it('is true: the server starts no program', () => {
    const starts = where(/node:child_process/).filter((path) => /^packages\/(server|domain|client|web)\//.test(path));
    expect(starts).to.deep.equal([]);
  });
});
