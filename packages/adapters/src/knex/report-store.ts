import type { ReportOutcome, ReportStore } from '@shipworthy/domain';
import type { Access } from './access.js';
import { isBrokenReference, isLostRace, isUnavailable, translated } from './failure.js';
import { recordWave } from './reports/record-wave.js';
import { nextWave, type Placed, placed, settledBy } from './reports/wave.js';

const TRIES = 3;

type Outcomes = ReadonlyMap<number, ReportOutcome>;

/** The same entries again when the database gave them up only because of other writers. */
const persistently = async (access: Access, entries: readonly Placed[]): Promise<Outcomes> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await recordWave(access, entries);
    } catch (error) {
      // Inside a transaction of the caller's the whole of it is given up, not these entries alone.
      if (!isLostRace(error) || access.inTransaction || attempt === TRIES) throw error;
    }
  }
};

const failed = (entries: readonly Placed[], error: Error): Outcomes =>
  new Map(entries.map(({ place }) => [place, { result: 'failed', error }]));

/** Records what can be recorded: of entries that fail together, each half by itself, down to the one that is bad. */
const record = async (access: Access, entries: readonly Placed[], nothingStored: boolean): Promise<Outcomes> => {
  try {
    return await persistently(access, entries);
  } catch (thrown) {
    const meaning = translated(thrown);
    const error = meaning instanceof Error ? meaning : new Error(String(meaning));
    if (isUnavailable(error)) {
      if (nothingStored) throw error;
      return failed(entries, error);
    }
    const [only, ...others] = entries;
    // What it belongs to was removed after somebody looked it up.
    if (only !== undefined && others.length === 0)
      return isBrokenReference(thrown) ? new Map([[only.place, { result: 'not_found' }]]) : failed(entries, error);
    const middle = Math.ceil(entries.length / 2);
    const first = await record(access, entries.slice(0, middle), nothingStored);
    const second = await record(access, entries.slice(middle), false);
    return new Map([...first, ...second]);
  }
};

export const reportStore = (access: Access): ReportStore => ({
  record: async (entries) => {
    const outcomes = new Map<number, ReportOutcome>();
    const settled = new Set<string>();
    let rest: readonly Placed[] = placed(entries);
    while (rest.length > 0) {
      const { now, later } = nextWave(rest, settled);
      for (const [place, outcome] of await record(access, now, outcomes.size === 0)) outcomes.set(place, outcome);
      rest = later;
      if (later.length === 0) break;
      for (const one of now) {
        const outcome = outcomes.get(one.place);
        if (outcome !== undefined) for (const token of settledBy(one, outcome)) settled.add(token);
      }
    }
    return entries.map((_, place) => outcomes.get(place) ?? { result: 'failed', error: new Error('no outcome') });
  },
});
