import { stat } from 'node:fs/promises';
import { EXIT } from '../exit-code.js';
import { Failure } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import type { World } from '../world.js';
import { findReports, type ReportFile } from './find-reports.js';
import { USUAL_PLACES } from './usual-places.js';

/** File systems keep moments as coarse as this. */
const COARSE_MS = 2_000;

/** What reports there are, and when each was written, before a command runs. */
export interface Before {
  readonly patterns: readonly string[];
  readonly startedAt: number;
  readonly written: ReadonlyMap<string, string>;
}

interface Written {
  readonly file: ReportFile;
  /** Differs once the file was written again. */
  readonly mark: string;
  readonly at: number;
}

const writtenNow = async (folder: string, patterns: readonly string[]): Promise<readonly Written[]> => {
  const { files } = await findReports(folder, patterns);
  const all = await Promise.all(
    files.map(async (file): Promise<readonly Written[]> => {
      // It may be gone by now.
      const found = await stat(file.path).catch(() => undefined);
      if (found === undefined) return [];
      return [{ file, mark: `${found.mtimeMs} ${found.size} ${found.ino}`, at: found.mtimeMs }];
    }),
  );
  return all.flat();
};

/** Looks at what the patterns, or the usual places where none is given, hold before a command runs. */
export const lookBefore = async ({ folder, now }: World, patterns: readonly string[]): Promise<Before> => {
  const places = patterns.length === 0 ? USUAL_PLACES : patterns;
  const written = await writtenNow(folder, places);
  return { patterns, startedAt: now(), written: new Map(written.map(({ file, mark }) => [file.path, mark])) };
};

const NAME_IT = 'Name the report with --report, as in shipworthy tests run --report junit.xml -- npm test.';

const missing = (message: string, ...fixes: readonly string[]): Failure =>
  new Failure(EXIT.report, message, { code: 'report-missing', fixes });

const listed = (files: readonly Written[]): string => harmless(files.map(({ file }) => file.name).join(', '));

const freshAt = async ({ folder }: World, { startedAt, written }: Before, patterns: readonly string[]) => {
  const all = await writtenNow(folder, patterns);
  // A cache may put an old report back with its old time.
  const isFresh = ({ file, mark, at }: Written) =>
    written.get(file.path) !== mark && at >= Math.floor(startedAt) - COARSE_MS;
  return { fresh: all.filter(isFresh), stale: all.filter((one) => !isFresh(one)) };
};

const atUsualPlaces = async (world: World, before: Before): Promise<readonly ReportFile[]> => {
  const places: (readonly Written[])[] = [];
  for (const place of USUAL_PLACES) {
    const { fresh } = await freshAt(world, before, [place]);
    if (fresh.length > 0) places.push(fresh);
  }
  const [only, another] = places;
  if (only === undefined) throw missing('The command wrote no report where reports usually are.', NAME_IT);
  if (another !== undefined) throw missing(`The command wrote several reports: ${listed(places.flat())}.`, NAME_IT);
  return only.map(({ file }) => file);
};

/**
 * The reports the command wrote: those of the patterns that were written while it ran; without patterns, those at the one usual
 * place where it wrote any. Failure (exit 6) when there is none, and when several usual places have some.
 */
export const lookAfter = async (
  world: World,
  before: Before,
  warn: (line: string) => void,
): Promise<readonly ReportFile[]> => {
  if (before.patterns.length === 0) return atUsualPlaces(world, before);
  const { fresh, stale } = await freshAt(world, before, before.patterns);
  if (fresh.length === 0 && stale.length > 0)
    throw missing(`The command did not write ${listed(stale)}; what is there is older, and is not recorded.`);
  if (fresh.length === 0) throw missing(`The command wrote no ${harmless(before.patterns.join(', '))}.`);
  if (stale.length > 0) warn(`Left aside, because the command did not write them: ${listed(stale)}.`);
  return fresh.map(({ file }) => file);
};
