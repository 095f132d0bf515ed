import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const DOMAIN = fileURLToPath(new URL('../../src/', import.meta.url));

const withoutTexts = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/'[^'\n]*'|`[^`]*`/g, '');

/** What a compiled module loads. */
const targets = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '([^']+)'/g)].map(([, target = '']) =>
    relative(DOMAIN, join(dirname(file), target)),
  );

/** What a module's declarations name, types included. */
const namedRooms = (room: string): readonly string[] =>
  readdirSync(join(DOMAIN, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => [
      ...readFileSync(join(DOMAIN, room, name), 'utf8').matchAll(/(?:from|import\()\s*['"]([^'"]+)/g),
    ])
    .map(([, target = '']) => target);

describe('the analysis by itself', () => {
  const modules = readdirSync(join(DOMAIN, 'analysis'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(DOMAIN, 'analysis', name));

  it('is loaded without the rest of the domain', () => {
    expect(modules).to.have.length.above(2);
    for (const file of modules) for (const target of targets(file)) expect(target, file).to.match(/^analysis\//);
  });

  it('names no clock, no randomness, no promise and nothing of Node or a browser', () => {
    const foreign =
      /\b(Date|performance|Math\.random|crypto|process|Buffer|require|setTimeout|window|document|fetch|async|await|Promise|globalThis)\b/;
    for (const file of modules)
      expect(withoutTexts(readFileSync(file, 'utf8')).match(foreign)?.[0], file).to.equal(undefined);
  });

  it('is no part of the score: the readiness room knows nothing of it', () => {
    const room = join(DOMAIN, 'readiness');
    const compiled = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    expect(compiled).to.have.length.above(20);
    const loaded = compiled.flatMap((name) => targets(join(room, name)));
    for (const target of [...loaded, ...namedRooms('readiness')]) expect(target).not.to.match(/analysis/);
  });
});
