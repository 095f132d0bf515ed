import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';

const entry = new URL('../src/index.js', import.meta.url);

/** The modules a bundle of the client would hold, by address. */
const reachable = async (from: URL, seen: Map<string, string> = new Map()): Promise<ReadonlyMap<string, string>> => {
  if (seen.has(from.href)) return seen;
  const text = await readFile(fileURLToPath(from), 'utf8');
  seen.set(from.href, text);
  for (const [, target = ''] of text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)) {
    expect(target, `${from.href} imports`).to.match(/^\.\.?\//);
    await reachable(new URL(target, from), seen);
  }
  return seen;
};

const withoutComments = (text: string): string => text.replace(/^\s*(\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm, '');

describe('the client as a bundle', () => {
  it('needs no other package and no schema', async () => {
    const modules = [...(await reachable(entry)).keys()].map((address) => address.split('/src/')[1]);
    expect(modules).to.include.members(['client.js', 'routes.js', 'send.js']);
    expect(modules.filter((name) => name?.startsWith('contract/'))).to.deep.equal(['contract/path.js']);
  });

  it('is at most 6 kB gzipped, even before a bundler shortens its names', async () => {
    const all = [...(await reachable(entry)).values()].map(withoutComments).join('\n');
    expect(gzipSync(all, { level: 9 }).length).to.be.within(1_000, 6_000);
  });

  it('names nothing that only Node has', async () => {
    for (const [address, text] of await reachable(entry)) {
      expect(withoutComments(text), address).not.to.match(/\b(process|Buffer|require|__dirname|setImmediate)\b/);
    }
  });
});
