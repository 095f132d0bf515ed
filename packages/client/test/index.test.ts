import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build, type Metafile } from 'esbuild';

const entry = fileURLToPath(new URL('../src/index.js', import.meta.url));

/** The client as a page would carry it. For a neutral platform, so that an import of Node's own modules fails. */
const bundle = async (names = '*'): Promise<{ readonly code: Uint8Array; readonly meta: Metafile }> => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export ${names} from ${JSON.stringify(entry)}`, resolveDir: '/' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
  return { code: outputFiles[0]?.contents ?? new Uint8Array(), meta: metafile };
};

describe('the client as a bundle', () => {
  it('is at most 6.1 kB gzipped, and 4.3 kB for operations that are named', async () => {
    const sizes = await Promise.all(
      ['*', '{ createClientOf }'].map(async (names) => gzipSync((await bundle(names)).code, { level: 9 }).length),
    );
    expect(sizes[0]).to.be.within(1_000, 6_100);
    expect(sizes[1]).to.be.within(1_000, 4_300);
  });

  it('carries no other package and no schema', async () => {
    const { meta } = await bundle();
    const carried = Object.keys(meta.inputs).map((path) => path.slice(path.lastIndexOf('/src/') + 5));
    expect(carried).to.include.members(['client.js', 'routes.js', 'send.js']);
    expect(carried.filter((name) => name.includes('/'))).to.have.members(['contract/path.js']);
  });

  it('names nothing that only Node has', async () => {
    const { code } = await bundle();
    expect(Buffer.from(code).toString()).not.to.match(/\b(process|Buffer|require|__dirname|setImmediate)\b/);
  });
});
