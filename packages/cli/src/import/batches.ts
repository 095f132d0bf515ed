import { BATCH_BYTES, BATCH_RECORDS } from '@shipworthy/client/contract';
import type { ImportRecord } from './to-record.js';

/** A record with the line it stands at. */
export interface Placed {
  readonly line: number;
  readonly record: ImportRecord;
}

/** Groups records as the server takes them: at most 1,000, and 2 MiB of JSON. */
export async function* batchesOf(
  records: AsyncIterable<readonly Placed[]>,
  most = BATCH_RECORDS,
  mostBytes = BATCH_BYTES,
): AsyncGenerator<readonly Placed[], void, undefined> {
  let batch: Placed[] = [];
  // The brackets; each record adds itself and a comma.
  let bytes = 2;
  for await (const some of records)
    for (const placed of some) {
      const size = Buffer.byteLength(JSON.stringify(placed.record)) + 1;
      if (batch.length > 0 && (batch.length === most || bytes + size > mostBytes)) {
        yield batch;
        batch = [];
        bytes = 2;
      }
      batch.push(placed);
      bytes += size;
    }
  if (batch.length > 0) yield batch;
}
