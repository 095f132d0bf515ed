import { createHash } from 'node:crypto';
import type { ExternalId } from '@shipworthy/domain';

/** What was sent as one text: members by name, whatever order they came in. Records of reports are flat. */
const canonical = (record: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.keys(record)
      .filter((name) => name !== 'external_id')
      .sort()
      .map((name) => [name, record[name]]),
  );

/** The external id of a reported record with the SHA-256 of all else that was sent; null without one. */
export const externalIdOf = (record: { readonly external_id?: string }): ExternalId | null =>
  record.external_id === undefined
    ? null
    : { id: record.external_id, fingerprint: createHash('sha256').update(canonical(record)).digest('hex') };
