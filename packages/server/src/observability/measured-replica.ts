import type { ReadReplica, ReplicaRead } from '@shipworthy/adapters/knex';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';

/** Counts what becomes of the reads a replica may answer, and notes in the log when it is given up and when it is back. */
export const measureReplica = (replica: ReadReplica, metrics: Metrics, log: Log): void => {
  const add = metrics.labelled(
    'replica_reads_total',
    'Reads that the replica may answer: replica, or answered by the primary and why.',
    ['result'],
  );
  metrics.add({
    name: 'replica_lag_seconds',
    help: 'Age of the newest change on the replica when it was last looked at; 0 when it missed nothing.',
    type: 'gauge',
    read: () => replica.behindSeconds,
  });
  replica.watch({
    read: (how: ReplicaRead) => add(how),
    changed: (cause) => {
      if (cause === null) log.info('replica is read again');
      else log.warn('replica is not read: the primary answers its reads', { cause });
    },
  });
};
