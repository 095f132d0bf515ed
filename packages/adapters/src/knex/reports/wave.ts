import type { ReportEntry, ReportOutcome } from '@shipworthy/domain';
import { keyId } from '../idempotency-store.js';

/** An entry with its place among those given. */
export interface Placed<Entry extends ReportEntry = ReportEntry> {
  readonly place: number;
  readonly entry: Entry;
}

export type PlacedOf<Kind extends ReportEntry['kind']> = Placed<Extract<ReportEntry, { readonly kind: Kind }>>;

/** The entries of one kind. */
export const ofKind = <Kind extends ReportEntry['kind']>(
  kind: Kind,
  entries: readonly Placed[],
): readonly PlacedOf<Kind>[] => entries.filter((placed): placed is PlacedOf<Kind> => placed.entry.kind === kind);

/** What an entry takes or changes, each as one text. */
interface Tokens {
  readonly record: string;
  readonly external?: string;
  readonly key?: string;
}

const tokensOf = (entry: ReportEntry): Tokens => {
  if (entry.kind === 'finish') return { record: `deployment ${entry.deploymentId}` };
  const { id, projectId, external } = entry.kind === 'deployment' ? entry.deployment : entry.testRun;
  return {
    record: `${entry.kind} ${id}`,
    ...(external !== null && { external: `${entry.kind} ${projectId} ${external.id}` }),
    ...(entry.remember !== null && { key: `key ${keyId(entry.remember.request)}` }),
  };
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
export const settledBy = (entry: ReportEntry, { result }: ReportOutcome): readonly string[] => {
  const tokens = tokensOf(entry);
  return SETTLES[result].flatMap((name) => tokens[name] ?? []);
};

/**
 * Parts the entries into those that can be recorded together and those that must wait for them because they have
 * something in common. What is settled holds nobody up: a hundred repeats of one request are two waves.
 */
export const nextWave = (
  entries: readonly Placed[],
  settled: ReadonlySet<string>,
): { readonly now: readonly Placed[]; readonly later: readonly Placed[] } => {
  const taken = new Set<string>();
  const now: Placed[] = [];
  const later: Placed[] = [];
  for (const placed of entries) {
    const { record, external = record, key = record } = tokensOf(placed.entry);
    const tokens = [record, external, key].filter((token) => !settled.has(token));
    (tokens.some((token) => taken.has(token)) ? later : now).push(placed);
    for (const token of tokens) taken.add(token);
  }
  return { now, later };
};
