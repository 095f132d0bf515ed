import type { ReportEntry, ReportOutcome } from '@shipworthy/domain';
import { keyId } from '../idempotency-store.js';

/** An entry with its place among those given, and what its idempotency key is kept under. */
export interface Placed<Entry extends ReportEntry = ReportEntry> {
  readonly place: number;
  readonly entry: Entry;
  readonly keyId: string | null;
}

/** The entries in their order, each with what its key is kept under, which is worked out this once. */
export const placed = (entries: readonly ReportEntry[]): readonly Placed[] =>
  entries.map((entry, place) => ({
    place,
    entry,
    keyId: entry.kind === 'finish' || entry.remember === null ? null : keyId(entry.remember.request),
  }));

export type PlacedOf<Kind extends ReportEntry['kind']> = Placed<Extract<ReportEntry, { readonly kind: Kind }>>;

/** The entries of one kind. */
export const ofKind = <Kind extends ReportEntry['kind']>(
  kind: Kind,
  entries: readonly Placed[],
): readonly PlacedOf<Kind>[] => entries.filter((placed): placed is PlacedOf<Kind> => placed.entry.kind === kind);

/** What an entry takes or changes, each as one text. Ids, names of external ids and keys are never the same text. */
interface Tokens {
  readonly record: string;
  readonly external: string | null;
  readonly key: string | null;
}

const tokensOf = ({ entry, keyId: key }: Placed): Tokens => {
  if (entry.kind === 'finish') return { record: entry.deploymentId, external: null, key };
  const { id, projectId, external } = entry.kind === 'deployment' ? entry.deployment : entry.testRun;
  return { record: id, external: external && `${entry.kind} ${projectId} ${external.id}`, key };
};

const SETTLES: Readonly<Record<ReportOutcome['result'], readonly (keyof Tokens)[]>> = {
  created: ['external', 'key'],
  duplicate: ['external'],
  external_id_conflict: ['external'],
  replayed: ['key'],
  key_reused: ['key'],
  finished: ['record'],
  already_final: ['record'],
  release_closed: [],
  not_found: [],
  failed: [],
};

/** What of an entry is stored after this outcome and stays as it is. */
export const settledBy = (one: Placed, { result }: ReportOutcome): readonly string[] => {
  const tokens = tokensOf(one);
  return SETTLES[result].flatMap((name) => tokens[name] ?? []);
};

/**
 * Parts the entries into those that can be recorded together and those that must wait for them because they have
 * something in common. What is settled makes no entry wait: a hundred repeats of one request are two waves.
 */
export const nextWave = (
  entries: readonly Placed[],
  settled: ReadonlySet<string>,
): { readonly now: readonly Placed[]; readonly later: readonly Placed[] } => {
  const taken = new Set<string>();
  const now: Placed[] = [];
  const later: Placed[] = [];
  for (const one of entries) {
    const { record, external, key } = tokensOf(one);
    const isTaken = (token: string | null): boolean => token !== null && taken.has(token) && !settled.has(token);
    (isTaken(record) || isTaken(external) || isTaken(key) ? later : now).push(one);
    taken.add(record);
    if (external !== null) taken.add(external);
    if (key !== null) taken.add(key);
  }
  return { now, later };
};
