import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type Aim, comparedLine, type Line, type RowResult } from '../figures.js';
import type { BenchRow } from './row.js';

const BYTES_PER_KB = 1_024;
const packages = fileURLToPath(new URL('../../../../', import.meta.url));

/** The size of files in kB of 1,024 bytes, as they are and gzipped. */
interface Size {
  readonly plain: number;
  readonly zipped: number;
}

const sizeOf = (contents: readonly Uint8Array[]): Size => ({
  plain: contents.reduce((sum, { length }) => sum + length, 0) / BYTES_PER_KB,
  zipped: contents.reduce((sum, content) => sum + gzipSync(content, { level: 9 }).length, 0) / BYTES_PER_KB,
});

/** The size of a bundle that takes these names from `index.js` in a folder of a package. */
const bundled = async (names: string, ...path: readonly string[]): Promise<Size> => {
  const file = JSON.stringify(join(packages, ...path, 'index.js'));
  const { outputFiles } = await build({
    stdin: { contents: `export ${names} from ${file}`, resolveDir: packages },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
  return sizeOf(outputFiles.map(({ contents }) => contents));
};

/** Files of the built application; `first`: those that its page names and so every first screen loads. */
const web = (end: '.js' | '.css', first: boolean): Size => {
  const folder = join(packages, 'web', 'dist', 'bundle');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const names = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith(end));
  const wanted = names.filter((name) => !first || page.includes(`assets/${name}`));
  if (wanted.length === 0) throw new Error(`The application has no ${end}; build it by npm run build.`);
  return sizeOf(wanted.map((name) => readFileSync(join(folder, 'assets', name))));
};

/** The bundle of the command, all that its package needs to run. */
const command = (): Size => {
  const folder = join(packages, 'cli', 'dist', 'bundle');
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return sizeOf(names.map((name) => readFileSync(join(folder, name))));
};

const line = (what: string, size: Size, aims: readonly Aim[], whyMissed?: string): Line =>
  comparedLine([{ ours: size.zipped, plain: size.plain }], 'ours', 'plain', {
    what: `${what}, gzipped`,
    against: 'the same, not compressed',
    unit: 'kB',
    aims,
    ...(whyMissed === undefined ? {} : { whyMissed }),
  });

const CLIENT = ['client', 'dist', 'src'] as const;

const WHY_CLIENT_MISSED =
  'the table of all operations is 1.6 kB of it, of which 1.3 kB are the names of 165 operations and the words of their paths, each written once: no other form of the table could be much shorter. What sends, repeats, ends in time and refuses an answer that cannot be trusted is the rest. `createClientOf` carries the operations that it is given in place of the table.';

const WHY_ENGINE_MISSED =
  'the search for the least work and the sentences of the steps are 4.1 kB of it, the check of the arguments that is fast where they have no fault 1.9 kB. `judgeRelease` carries neither, and gives the same report without next steps.';

const atMost = (most: number): readonly Aim[] => [{ of: 'measured', most }];

const run = async (): Promise<RowResult> => ({
  lines: [
    line(
      'typed client with every operation, bundled and minified',
      await bundled('*', ...CLIENT),
      atMost(5),
      WHY_CLIENT_MISSED,
    ),
    line('typed client with the operations it is given', await bundled('{ createClientOf }', ...CLIENT), atMost(5)),
    line(
      'readiness engine: a report with reasons and next steps',
      await bundled('{ assessRelease, DEFAULT_POLICY }', 'domain', 'dist', 'src', 'readiness'),
      atMost(10),
      WHY_ENGINE_MISSED,
    ),
    line(
      'readiness engine: the same report without next steps, by `judgeRelease`',
      await bundled('{ judgeRelease, DEFAULT_POLICY }', 'domain', 'dist', 'src', 'readiness'),
      atMost(10),
    ),
    line('application: script of the first screens', web('.js', true), atMost(60)),
    line('application: script of every screen', web('.js', false), []),
    line('application: style of every screen', web('.css', true), atMost(12)),
    line('command: everything it runs on', command(), []),
  ],
  verifiedRecords: 0,
  remarks: [
    'From the built files; gzip -9, 1 kB = 1,024 bytes, each file by itself. `npm test` fails when client or engine grow, or the application exceeds its aims.',
    'The page of the application names what the first screens load; further screens load theirs when they are opened.',
  ],
});

/** How much is loaded before anything happens. */
export const bundles: BenchRow = { name: 'bundles', title: 'Sizes of what is loaded', run };
