import { hash } from 'node:crypto';
import type { ExternalId } from '@shipworthy/domain';

const quotedNames = new Map<string, string>();

/** A member's name as JSON. Those of reports are few: they stand in the contract. */
const quoted = (name: string): string => {
  const known = quotedNames.get(name) ?? JSON.stringify(name);
  quotedNames.set(name, known);
  return known;
};

let lastNames: readonly string[] = [];
let lastSorted: readonly string[] = [];

/** The names of a record's members but the external id's, sorted. Records that come together mostly name the same ones. */
const sortedNames = (record: Readonly<Record<string, unknown>>): readonly string[] => {
  const names = Object.keys(record);
  const isLike = names.length === lastNames.length && names.every((name, at) => name === lastNames[at]);
  if (!isLike) [lastNames, lastSorted] = [names, names.filter((name) => name !== 'external_id').sort()];
  return lastSorted;
};

/**
 * What was sent as one text: JSON of `[name, value]` in the order of the names, whatever order they came in. Records of
 * reports are flat. Fingerprints are stored: the text of a record must stay the same for ever.
 */
const canonical = (record: Readonly<Record<string, unknown>>): string => {
  let text = '';
  for (const name of sortedNames(record)) text += `${text && ','}[${quoted(name)},${JSON.stringify(record[name])}]`;
  return `[${text}]`;
};

/** The external id of a reported record with the SHA-256 of all else that was sent; null without one. */
export const externalIdOf = (record: { readonly external_id?: string }): ExternalId | null =>
  record.external_id === undefined
    ? null
    : { id: record.external_id, fingerprint: hash('sha256', canonical(record), 'hex') };
