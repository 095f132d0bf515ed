import type { Instant, ReleaseRevision } from '@shipworthy/domain';
import type { Clock, Lookups, Ports } from '@shipworthy/domain/ports';
import { entityTag } from './http/answer.js';
import { BoundedMap } from './http/rate-limit.js';
import type { InOneTurn } from './http/route.js';

/** A report to cache. */
export interface MadeReport {
  /** The wire form. */
  readonly body: unknown;
  /** The release's revision it was read at. */
  readonly revision: number;
  /** The first moment at which it changes by time alone; null: by nothing but a new revision. */
  readonly until: Instant | null;
}

/** A report ready to be answered. */
interface ReadyReport {
  readonly text: string;
  readonly etag: string;
}

interface Entry extends ReadyReport {
  readonly revision: number;
  readonly until: Instant | null;
}

/** How a caller makes a report that is not cached. */
interface ReportMaker {
  readonly inOneTurn: InOneTurn;
  readonly make: (ports: Ports) => Promise<MadeReport>;
}

export interface ReportCache {
  /**
   * The report of a release in one form (`view` names it), made anew only when the release changed or a time limit passed.
   * Costs one coalesced look at the release's revision, or none when it was `seen` just now. A request that comes while the
   * report is being made waits for the same one. It never waits for the turn of another caller: a report is being made only once
   * its maker has its turn.
   */
  read(releaseId: string, view: string, maker: ReportMaker, seen?: ReleaseRevision): Promise<ReadyReport>;
  readonly size: number;
}

/** Characters of all reports that are kept: some 3,000 each, up to 225,000 with as many waivers as a release may have. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

export const createReportCache = (
  lookups: Pick<Lookups, 'revision'>,
  clock: Clock,
  mostCharacters: number = MOST_CHARACTERS,
): ReportCache => {
  const entries = new BoundedMap<string, Entry>(mostCharacters, ({ text }) => text.length);
  const making = new Map<string, Promise<Entry>>();

  const make = async (name: string, from: () => Promise<MadeReport>): Promise<Entry> => {
    const { body, revision, until } = await from();
    const text = JSON.stringify(body);
    const entry = { text, etag: entityTag(text), revision, until };
    // A slower reading of an older revision must not push out a newer one.
    if ((entries.get(name)?.revision ?? 0) <= revision) entries.set(name, entry);
    return entry;
  };

  return {
    get size() {
      return entries.size;
    },
    async read(releaseId, view, { inOneTurn, make: from }, seen) {
      const now = seen ?? (await lookups.revision(releaseId));
      const name = `${releaseId} ${view}`;
      // Shared only among requests that saw the same revision, so that none gets an older report than it saw.
      const attempt = `${name} ${now?.revision}`;
      const cached = (): Entry | undefined => {
        const entry = entries.use(name);
        // A newer one than was seen is as good.
        if (entry === undefined || now === undefined || entry.revision < now.revision) return undefined;
        return entry.until === null || clock() < entry.until ? entry : undefined;
      };
      const known = (): Entry | Promise<Entry> | undefined => cached() ?? making.get(attempt);
      const found = known();
      if (found !== undefined) return found;
      const turn = await inOneTurn(async (ports) => {
        // Another caller may have had its turn before. Its report is awaited outside of this turn, which others can use.
        const ofAnother = known();
        if (ofAnother !== undefined) return { ofAnother };
        const promise = make(name, () => from(ports)).finally(() => making.delete(attempt));
        making.set(attempt, promise);
        return { made: await promise };
      });
      return turn.made ?? turn.ofAnother;
    },
  };
};
