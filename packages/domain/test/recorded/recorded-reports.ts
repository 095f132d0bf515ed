import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assessRelease, type ReadinessReport } from '../../src/readiness/index.js';
import { drawnRelease, JUDGED_AT } from './drawn-release.js';

/** How many reports are recorded, and how many of them have one fingerprint together. */
export const RECORDED = 100_000;
export const PER_FINGERPRINT = 100;

/** Fingerprints of what was judged and of the reports, in portions of `PER_FINGERPRINT`. */
export interface Recording {
  readonly releases: readonly string[];
  readonly reports: readonly string[];
}

/** The drawn release of that number, judged by today's engine. */
export const reportOf = (number: number): ReadinessReport => {
  const { facts, policy, waivers } = drawnRelease(number);
  return assessRelease(facts, policy, JUDGED_AT, waivers);
};

/** The recording that today's engine would make. */
export const recordReports = (): Recording => {
  const firsts = Array.from({ length: RECORDED / PER_FINGERPRINT }, (_, portion) => portion * PER_FINGERPRINT);
  return { releases: firsts.map(fingerprintOf(drawnRelease)), reports: firsts.map(fingerprintOf(reportOf)) };
};

/** The numbers at which portions begin that are not as recorded: those of the releases themselves, and of their reports. */
export const changedPortions = (
  stored: Recording,
  { every }: { readonly every: number },
): { readonly releases: readonly number[]; readonly reports: readonly number[] } => {
  const firsts: number[] = [];
  for (let first = 0; first < RECORDED; first += every * PER_FINGERPRINT) firsts.push(first);
  const changed = (of: (number: number) => unknown, fingerprints: readonly string[]): readonly number[] =>
    firsts.filter((first) => fingerprintOf(of)(first) !== fingerprints[first / PER_FINGERPRINT]);
  return { releases: changed(drawnRelease, stored.releases), reports: changed(reportOf, stored.reports) };
};

const fingerprintOf =
  (of: (number: number) => unknown) =>
  (first: number): string => {
    const hash = createHash('sha256');
    for (let number = first; number < first + PER_FINGERPRINT; number += 1) hash.update(inOneOrder(of(number)));
    return hash.digest('hex').slice(0, 16);
  };

/** As JSON, in which the order of members, which means nothing, is always the same. */
const inOneOrder = (value: unknown): string =>
  `${JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )}\n`;

/** In the source: compiled tests lie two folders deeper. */
const FILE = fileURLToPath(new URL('../../../test/recorded/fingerprints.json', import.meta.url));

export const storedRecording = (): Recording => JSON.parse(readFileSync(FILE, 'utf8')) as Recording;

export const storeRecording = (recording: Recording): void =>
  writeFileSync(FILE, `${JSON.stringify(recording, null, 2)}\n`);
