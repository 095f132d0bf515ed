import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { root } from './documents.js';

type Breach = (path: string, rule: string) => void;
type Sources = ReadonlyMap<string, string>;

/** A file of the checks, which are plain JavaScript. */
const check = <Face>(name: string): Promise<Face> =>
  import(pathToFileURL(join(root, 'scripts/architecture', name)).href) as Promise<Face>;

const { checkGlossary } =
  await check<Record<'checkGlossary', (sources: Sources, glossary: string, breach: Breach) => void>>('glossary.mjs');
const { checkDocument } =
  await check<
    Record<
      'checkDocument',
      (text: string, allowed: readonly string[], exists: (path: string) => boolean, breach: Breach) => void
    >
  >('document.mjs');
const { checkNames } = await check<Record<'checkNames', (sources: Sources, breach: Breach) => void>>('names.mjs');

/** What a check finds fault with. */
const breaches = (run: (breach: Breach) => void): readonly string[] => {
  const found: string[] = [];
  run((path, rule) => found.push(`${path}: ${rule}`));
  return found;
};

describe('the check of the glossary', () => {
  const DECLARED = ['packages/domain/src/berth.ts', 'export interface HarbourBerth {}\n'] as const;
  /** Sources that use a type of the domain in `files` files, its own among them. */
  const usedIn = (files: number): Sources =>
    new Map([
      DECLARED,
      ...Array.from({ length: files - 1 }, (_, at): [string, string] => [
        `packages/server/src/file-${at}.ts`,
        'const berth: HarbourBerth = {};\n',
      ]),
    ]);
  const faults = (sources: Sources, glossary: string) => breaches((breach) => checkGlossary(sources, glossary, breach));

  it('fails on a type that ten files use and the glossary lacks, not on one that nine use', () => {
    expect(faults(usedIn(10), '| anchor | holds |\n')).to.deep.equal([
      'docs/glossary.md: HarbourBerth is used in 10 files and not explained',
    ]);
    expect(faults(usedIn(9), '')).to.deep.equal([]);
  });

  it('takes plain words, or the name as the code writes it, but no mention in a meaning', () => {
    expect(faults(usedIn(10), '| harbour berth | where a ship lies |\n')).to.deep.equal([]);
    expect(faults(usedIn(10), '| berth (`HarbourBerth`) | where a ship lies |\n')).to.deep.equal([]);
    expect(faults(usedIn(10), '| pier | has a `HarbourBerth` |\n')).to.have.length(1);
  });

  it('counts neither comments nor imports', () => {
    const idle = ["import type { HarbourBerth } from '@shipworthy/domain';\n", '/** A HarbourBerth. */\n'];
    const files = Array.from({ length: 9 }, (_, at): [string, string] => [`packages/web/src/${at}.ts`, idle.join('')]);
    expect(faults(new Map([DECLARED, ...files]), '')).to.deep.equal([]);
  });

  it('fails on a name that the glossary explains and no source declares', () => {
    expect(faults(new Map(), '| berth (`HarbourBerth`) | where a ship lies |\n')).to.deep.equal([
      'docs/glossary.md: HarbourBerth is explained, and no source declares it',
    ]);
  });
});

describe('the check of ARCHITECTURE.md', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const ALLOWED = [...(text.split('```')[1] ?? '').matchAll(/^ {2}([\w-]+) -->(?:\|(.+)\|)? ([\w-]+)$/gm)].flatMap(
    ([, from, entries, to]) =>
      entries === undefined ? `${from} -> ${to}` : entries.split(', ').map((entry) => `${from} -> ${to}/${entry}`),
  );
  const isThere = (path: string): boolean => existsSync(join(root, path));
  const faults = (changed: string, allowed = ALLOWED) =>
    breaches((breach) => checkDocument(changed, allowed, isThere, breach));

  it('passes as it is', () => {
    expect(ALLOWED).to.include('web -> domain/readiness').and.have.length.above(8);
    expect(faults(text)).to.deep.equal([]);
  });

  it('fails on a file or a folder that is not there', () => {
    expect(faults(`${text}\n\`server/src/gone.ts\` and \`server/src/no-room\`\n`)).to.deep.equal([
      'ARCHITECTURE.md: names server/src/gone.ts, which does not exist',
      'ARCHITECTURE.md: names server/src/no-room, which does not exist',
    ]);
  });

  it('fails on an arrow that its picture has beyond the rules, and on one that it lacks', () => {
    expect(faults(text.replace('  adapters --> domain', '  adapters --> web'))).to.deep.equal([
      'ARCHITECTURE.md: its picture lacks the arrow adapters -> domain',
      'ARCHITECTURE.md: its picture has the arrow adapters -> web, which is not allowed',
    ]);
  });

  it('fails when the way of a report names more files than a reader follows', () => {
    const longer = text.replace(
      '<br>server/src/app.ts',
      '<br>server/src/app.ts<br>server/src/main.ts<br>server/src/index.ts',
    );
    expect(faults(longer)).to.deep.equal(['ARCHITECTURE.md: the way of a report names 31 files; 1 to 30']);
  });
});

describe('the check of exported names', () => {
  const sources: Sources = new Map([
    ['packages/cli/src/one.ts', 'export const berthOf = 1;\n'],
    ['packages/web/src/two.ts', 'export const berthOf = 2;\n'],
  ]);

  it('fails on a name that two files declare, wherever they are', () => {
    expect(breaches((breach) => checkNames(sources, breach))).to.deep.equal([
      'packages/cli/src/one.ts, packages/web/src/two.ts: export berthOf: one name, one meaning; name it for what it is here, or import it',
    ]);
  });

  it('lets the contract and the domain call the same noun by one name', () => {
    const forms: Sources = new Map([
      ['packages/client/src/contract/berth.ts', 'export const Berth = 1;\n'],
      ['packages/domain/src/berth.ts', 'export interface Berth {}\n'],
    ]);
    expect(breaches((breach) => checkNames(forms, breach))).to.deep.equal([]);
  });
});
