import type { CallOptions } from '@shipworthy/client';
import type { Connection } from '../connection.js';
import { EXIT, type Failure, failureOf, isOutage } from '../failure.js';
import { harmless } from '../output/safe-text.js';
import { type CommandSession, endOfDryRun } from '../session.js';
import { comparable } from '../settings.js';
import { deliver } from './deliver.js';
import { forgetNotes, type KeptEntry, LONGEST_MS, noteDeployment, type Spool, spoolOf } from './spool.js';
import { titleOf } from './spool-entry.js';

const QUIET_MS = 2_000;
/** A record that makes the server fail must not hold up the others. */
const MOST_STUCK = 2;

/** The results of the kept entries. */
export interface Flushed {
  readonly sent: readonly KeptEntry[];
  /** Refused by the server and moved aside, with the reason and where each is now. */
  readonly refused: readonly { readonly kept: KeptEntry; readonly failure: Failure; readonly path: string }[];
  /** The entries not sent; `failure` is the reason of the first one. */
  readonly left: readonly KeptEntry[];
  /** Made for other addresses, and not touched. */
  readonly elsewhere: readonly KeptEntry[];
  /** The entries kept under another key; they are left alone. */
  readonly unsealed: readonly KeptEntry[];
  readonly failure: Failure | undefined;
}

type Limits = Pick<CallOptions, 'signal' | 'timeoutMs'>;

interface FlushOptions extends Limits {
  /** Whether a person asked to send also the entries that were not kept under the present key. */
  readonly takesUnsealed?: boolean | undefined;
}

const sendOne = async (spool: Spool, { client }: Connection, kept: KeptEntry, limits: Limits) => {
  const sent = await deliver(client, kept.entry, limits);
  // A later `deploy finish` knows this deployment by its reference only.
  if (kept.entry.operation === 'createDeployment') await noteDeployment(spool, kept, sent.id);
  await spool.remove(kept);
};

/**
 * Sends what is kept for the connection's address, oldest first, and under its key. Ends at the first outage and at a rejected key, for the rest
 * would fare no better; what the server refuses is moved aside.
 */
export const flush = async (
  session: CommandSession,
  connection: Connection,
  { takesUnsealed = false, ...limits }: FlushOptions = {},
): Promise<Flushed> => {
  const spool = await spoolOf(session);
  const address = comparable(connection.address);
  const all = await spool.list();
  const here = all.filter(({ entry }) => comparable(entry.address) === address);
  const ours = here.filter(({ sealed }) => sealed || takesUnsealed);
  const sent: KeptEntry[] = [];
  const refused: Flushed['refused'][number][] = [];
  const stuck: KeptEntry[] = [];
  await forgetNotes(spool, session.world.now() - LONGEST_MS);
  const done = (left: readonly KeptEntry[], failure?: Failure): Flushed => ({
    sent,
    refused,
    left,
    elsewhere: all.filter((kept) => !here.includes(kept)),
    unsealed: here.filter((kept) => !ours.includes(kept)),
    failure,
  });
  let stuckBy: Failure | undefined;
  for (const [index, kept] of ours.entries()) {
    const rest = () => [...stuck, ...ours.slice(index)];
    try {
      await sendOne(spool, connection, kept, limits);
      sent.push(kept);
    } catch (error) {
      if (session.globals.dryRun) return endOfDryRun(session, error);
      if (limits.signal?.aborted) return done(rest());
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      if (failure.code === 'internal' && stuck.length < MOST_STUCK) {
        stuck.push(kept);
        stuckBy ??= failure;
        continue;
      }
      if (isOutage(failure) || failure.exit === EXIT.key) return done(rest(), failure);
      refused.push({ kept, failure, path: await spool.refuse(kept) });
    }
  }
  return done(stuck, stuckBy);
};

/** Says what the server refused, and where it is now. */
export const sayRefused = ({ screen }: CommandSession, { refused }: Flushed): void => {
  for (const { kept, failure, path } of refused) {
    screen.warn(`Refused: ${harmless(titleOf(kept.entry))}: ${failure.message}`);
    for (const fault of failure.faults) screen.say(`  ${fault}`);
    screen.say(`  It was moved to ${path}.`);
  }
};

/** Sends kept reports after one that arrived, for at most two seconds. Never fails; prints nothing when there was none. */
export const flushQuietly = async (session: CommandSession, connection: Connection): Promise<void> => {
  try {
    const flushed = await flush(session, connection, { signal: AbortSignal.timeout(QUIET_MS), timeoutMs: QUIET_MS });
    if (flushed.sent.length > 0) session.screen.say(`Sent ${flushed.sent.length} kept earlier.`);
    sayRefused(session, flushed);
    if (flushed.left.length > 0) session.screen.say(`${flushed.left.length} kept earlier wait for shipworthy flush.`);
    if (flushed.unsealed.length > 0)
      session.screen.say(
        `${flushed.unsealed.length} were not kept under this key, and wait: shipworthy flush names them.`,
      );
  } catch (error) {
    session.screen.warn(`The spool could not be used: ${(error as Error).message}`);
  }
};
