import { setImmediate } from 'node:timers/promises';
import { type FoundRecord, type Instant, MATCHES, matcherOf } from '@shipworthy/domain';
import type { SearchStore } from '@shipworthy/domain/ports';
import type { TableAccess } from './tables.js';

interface DatedRecord extends FoundRecord {
  readonly createdAt: Instant;
}

const foundRecord = ({ createdAt: _, ...found }: DatedRecord): FoundRecord => found;

/** Below zero where `a` comes before `b` in the result. */
const compared = (a: DatedRecord, b: DatedRecord): number =>
  MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) ||
  (a.kind === b.kind ? 0 : a.kind === 'release' ? -1 : 1) ||
  b.createdAt - a.createdAt ||
  (a.id < b.id ? 1 : -1);

/** Keeps the `limit` best of any number of records, and never holds more than 20 times as many. */
const bestOnly = (limit: number) => {
  let kept: DatedRecord[] = [];
  const best = () => kept.sort(compared).slice(0, limit);
  return {
    best,
    add: (record: DatedRecord): void => {
      kept.push(record);
      if (kept.length >= 20 * limit) kept = best();
    },
  };
};

/** Number of records that are searched before other work gets its turn. */
const IN_ONE_TURN = 5000;

export const searchStore = ({ read }: TableAccess): SearchStore => ({
  find: async (projects, text, limit) => {
    const matcher = matcherOf(text);
    const found = bestOnly(limit);
    let looked = 0;
    for (const { id: projectId, name: within } of projects) {
      looked += await read(({ releases, issues }) => {
        const matchOf = matcher(within);
        const [ofReleases, ofIssues] = [releases.where('project', projectId), issues.where('project', projectId)];
        for (const { id, name, state, createdAt } of ofReleases) {
          const match = matchOf({ id, name, key: null, url: null });
          if (match !== undefined) found.add({ kind: 'release', id, projectId, name, state, match, createdAt });
        }
        for (const { id, title: name, state, url, createdAt } of ofIssues) {
          const match = matchOf({ id, name, key: null, url });
          if (match !== undefined) found.add({ kind: 'issue', id, projectId, name, state, match, createdAt });
        }
        return ofReleases.length + ofIssues.length;
      });
      if (looked < IN_ONE_TURN) continue;
      looked = 0;
      await setImmediate();
    }
    return found.best().map(foundRecord);
  },
});
