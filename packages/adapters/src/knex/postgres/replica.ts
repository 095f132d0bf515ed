import type { Knex } from 'knex';
import type { Value } from '../dialect.js';
import type { Access } from '../sql.js';
import { attemptsOn, fitness, newestPosition, type ReplicaLimits, type Unfit } from './replica-read.js';
import { driverStatement } from './transaction.js';

/**
 * How a read went that a replica may answer: there, or on the primary and why. `resting`: the replica was unfit shortly
 * before; `given_up`: it was fit, but its rows were late or did not come.
 */
export type ReplicaRead = 'replica' | Unfit | 'resting' | 'given_up';

/** Receives the state changes of a replica. */
export interface ReplicaListener {
  read(how: ReplicaRead): void;
  /** Called when reads stop going to it, with the cause, and with null when they go to it again. */
  changed(cause: Unfit | null): void;
}

/** A streaming replica whose reads are as new as those of the primary. */
export interface Replica {
  /**
   * Rows of a reading statement that sees everything committed when it was asked for; undefined when the primary had
   * better be asked. Never fails.
   */
  read<Row>(sql: string, bindings?: readonly Value[], name?: string): Promise<readonly Row[] | undefined>;
  /** Age of its newest change when it last answered, in seconds; 0 when nothing was missing, null when it did not. */
  readonly behindSeconds: number | null;
  watch(listener: ReplicaListener): void;
}

/** The replica the pool leads to; positions are asked of the primary. */
export const replicaOf = (primary: Access, pool: Knex, limits: ReplicaLimits): Replica => {
  const newest = newestPosition(primary);
  const attempts = attemptsOn(pool, limits);
  const listeners: ReplicaListener[] = [];
  const state = fitness(
    () => performance.now(),
    (cause) => {
      for (const listener of listeners) listener.changed(cause);
    },
  );

  const look = async (): Promise<void> => {
    const position = await newest().catch(() => null);
    const found = position === null ? 'failed' : await attempts.read(position, null);
    state.looked(typeof found === 'object' ? null : found === 'given_up' ? 'failed' : found);
  };

  const told = (how: ReplicaRead): undefined => {
    for (const listener of listeners) listener.read(how);
  };

  return {
    get behindSeconds() {
      return attempts.behindSeconds;
    },
    watch: (listener) => void listeners.push(listener),
    read: async <Row>(sql: string, bindings?: readonly Value[], name?: string) => {
      // The look runs in the background: this read goes to the primary.
      if (state.takeLook()) void look();
      if (!state.fit) return told('resting');
      const position = await newest().catch(() => null);
      // Without the primary its newest position is unknown.
      const found = position === null ? 'failed' : await attempts.read(position, driverStatement(sql, bindings, name));
      if (typeof found === 'object') {
        told('replica');
        return found.rows as readonly Row[];
      }
      if (found !== 'given_up') state.failed(found);
      return told(found);
    },
  };
};

/**
 * Reads outside a transaction on the replica, if it is fit, and everything else on the primary; all of it on a cluster, whose
 * workers a replica of the coordinator does not ask.
 */
export const readingAccess = (primary: Access, replica: Replica): Access => ({
  ...primary,
  get dialect() {
    return primary.dialect;
  },
  read: async (sql, bindings, name) =>
    (primary.dialect.cluster === null ? await replica.read<never>(sql, bindings, name) : undefined) ??
    primary.read(sql, bindings, name),
});
