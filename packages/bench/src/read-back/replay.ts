import { openConnection } from '../load/connection.js';
import { SEQUENCE, sequenceText } from '../load/load-order.js';
import type { Shipworthy } from '../subject/shipworthy.js';
import { requireEqual } from './equal.js';

/**
 * Sends the first so many requests of a load once more, to a server that need not be the one that stored them: each must be
 * answered 201 with the record of its own commit. @throws Error
 */
export const requireReplay = async ({ port }: Shipworthy, request: string, count: number): Promise<void> => {
  const connection = await openConnection(port);
  try {
    for (let sequence = 0; sequence < count; sequence += 1) {
      const own = request.replaceAll(SEQUENCE, sequenceText(sequence));
      const { status, body } = await connection.ask(own);
      requireEqual('Status of a repeated request', status, 201);
      const [, wanted] = /"commit_sha":"(\w+)"/.exec(own) ?? [];
      const [, found] = /"commit_sha":"(\w+)"/.exec(body) ?? [];
      requireEqual('Commit of a repeated request', found, wanted);
    }
  } finally {
    connection.end();
  }
};
