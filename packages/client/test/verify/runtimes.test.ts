import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import { type VerdictError, verifyVerdict } from '../../src/verify/verify-verdict.js';
import { STATEMENT, signer } from './signed.js';

const entry = fileURLToPath(new URL('../../src/verify/verify-verdict.js', import.meta.url));

describe('verifyVerdict elsewhere', () => {
  const ada = signer();
  const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  afterEach(() => {
    if (own !== undefined) Object.defineProperty(globalThis, 'crypto', own);
  });
  const cryptography = (value: unknown): void => {
    Object.defineProperty(globalThis, 'crypto', { value, configurable: true });
  };
  const code = (): Promise<string> =>
    verifyVerdict(ada.envelope(STATEMENT), ada.keys).then(
      () => 'believed',
      (error: VerdictError) => error.code,
    );

  it('says that it cannot tell where a page has no secure context', async () => {
    cryptography({});
    expect(await code()).to.equal('unsupported');
    cryptography(undefined);
    expect(await code()).to.equal('unsupported');
  });

  it('says that it cannot tell where there is no Ed25519', async () => {
    const importKey = async () => {
      throw new DOMException('Unrecognized name.', 'NotSupportedError');
    };
    cryptography({ subtle: { importKey } });
    expect(await code()).to.equal('unsupported');
  });

  it('is small, carries no schema and names nothing that only Node has', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
    });
    const bytes = outputFiles[0]?.contents ?? new Uint8Array();
    expect(gzipSync(bytes, { level: 9 }).length).to.be.within(500, 2_500);
    const carried = Object.keys(metafile.inputs).map((path) => path.slice(path.lastIndexOf('/src/') + 5));
    expect(carried).to.include('verify/verify-verdict.js');
    expect(carried.filter((name) => !name.startsWith('verify/'))).to.deep.equal(['contract/verdict-names.js']);
    expect(Buffer.from(bytes).toString()).not.to.match(/\b(process|Buffer|require|__dirname|setImmediate)\b/);
  });
});
