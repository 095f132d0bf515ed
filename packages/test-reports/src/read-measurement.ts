import { CoberturaReader } from './cobertura.js';
import { LcovReader } from './lcov.js';
import { LighthouseReader } from './lighthouse.js';
import type { Measurement } from './measurement.js';
import { decodePieces } from './read-report.js';
import { BrokenReport } from './tally.js';

/** The decoded pieces without a byte order mark and the blanks before the first character. */
async function* fromFirstCharacter(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun = false;
  for await (const piece of decodePieces(pieces)) {
    const text = begun ? piece : piece.replace(/^[\ufeff\s]+/, '');
    if (text === '') continue;
    begun = true;
    yield text;
  }
}

/**
 * Covered lines of all lines in a report of lcov or Cobertura, told apart by the first character, as it streams by; memory grows
 * with the number of lines of code. Throws BrokenReport for one that is empty, cut short, lists no line or is of another kind.
 */
export const readCoverage = async (pieces: AsyncIterable<Uint8Array>): Promise<Measurement> => {
  let reader: LcovReader | CoberturaReader | undefined;
  for await (const piece of fromFirstCharacter(pieces)) {
    reader ??= piece.startsWith('<') ? new CoberturaReader() : new LcovReader();
    reader.write(piece);
  }
  if (reader === undefined) throw new BrokenReport('is empty: what was to write it did not');
  return reader.end();
};

/**
 * The score of a category in a report of Lighthouse in JSON, as hundredths.
 * Throws BrokenReport for one that is empty, no such report, or has no score of that category.
 */
export const readLighthouse = async (pieces: AsyncIterable<Uint8Array>, category: string): Promise<Measurement> => {
  let reader: LighthouseReader | undefined;
  for await (const piece of fromFirstCharacter(pieces)) {
    reader ??= new LighthouseReader();
    reader.write(piece);
  }
  if (reader === undefined) throw new BrokenReport('is empty: what was to write it did not');
  return reader.end(category);
};
