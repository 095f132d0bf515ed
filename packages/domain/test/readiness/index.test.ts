import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import { assessRelease, DEFAULT_POLICY } from '../../src/readiness/index.js';
import { nextTimeLimit } from '../../src/readiness/time-limits.js';
import { EMPTY, NOW, READY } from './sample-release.js';

const DOMAIN = fileURLToPath(new URL('../../src/', import.meta.url));
const FACE = join(DOMAIN, 'readiness', 'index.js');

/** The compiled modules that loading the face loads, each with its text. */
const loaded = (file: string, found = new Map<string, string>()): ReadonlyMap<string, string> => {
  if (found.has(file)) return found;
  const text = readFileSync(file, 'utf8');
  found.set(file, text);
  for (const [, target = ''] of text.matchAll(/(?:from|import) '([^']+)'/g)) {
    expect(target, `import in ${file}`).to.match(/^\.\.?\//);
    loaded(join(dirname(file), target), found);
  }
  return found;
};

describe('the readiness engine by itself', () => {
  const modules = loaded(FACE);

  it('is loaded without any package and without the rest of the domain', () => {
    expect(modules.size).to.be.greaterThan(20);
    for (const file of modules.keys()) expect(relative(DOMAIN, file)).to.match(/^readiness\//);
  });

  it('holds every module of the room but those with types alone', () => {
    const room = readdirSync(dirname(FACE), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    );
    for (const name of room) {
      const file = join(dirname(FACE), name);
      const text = modules.get(file) ?? readFileSync(file, 'utf8').replace(/\/\/#.*/, '');
      if (!modules.has(file)) expect(text.trim(), name).to.equal('export {};');
    }
  });

  it('names no clock, no randomness, no promise and nothing of Node or a browser', () => {
    const foreign =
      /\b((?<!new )Date(?!\.parse\()|new Date(?!\(at\)\.toISOString\(\))|performance|Math\.random|crypto|process|Buffer|require|setTimeout|window|document|fetch|async|await|Promise|globalThis)\b/;
    for (const [file, text] of modules) {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/'[^'\n]*'|`[^`]*`/g, '');
      expect(code.match(foreign)?.[0], file).to.equal(undefined);
    }
  });

  const sizeOf = async (name: string): Promise<number> => {
    const { outputFiles } = await build({
      stdin: { contents: `export { ${name}, DEFAULT_POLICY } from ${JSON.stringify(FACE)}`, resolveDir: DOMAIN },
      ...({ bundle: true, minify: true, write: false, format: 'esm', platform: 'neutral', target: 'es2022' } as const),
    });
    return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
  };

  it('is at most 16 kB gzipped where a page judges releases with it', async () => {
    expect(await sizeOf('assessRelease')).to.be.within(1_000, 16_000);
  });

  it('is at most 9.8 kB gzipped where a page needs no next steps', async () => {
    expect(await sizeOf('judgeRelease')).to.be.within(1_000, 9_800);
  });

  it('works where the clock and randomness are forbidden', () => {
    const { now } = Date;
    const { random } = Math;
    const forbidden = (): never => {
      throw new Error('forbidden');
    };
    Date.now = forbidden;
    Math.random = forbidden;
    try {
      expect(assessRelease(READY, DEFAULT_POLICY, NOW).gate.decision).to.equal('go');
      expect(assessRelease(EMPTY, DEFAULT_POLICY, NOW).gate.decision).to.equal('unknown');
      expect(nextTimeLimit(READY, DEFAULT_POLICY, [], NOW)).to.equal(null);
    } finally {
      Date.now = now;
      Math.random = random;
    }
  });
});
