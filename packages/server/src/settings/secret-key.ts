import { join } from 'node:path';
import { isPublicKeyText } from '@shipworthy/adapters/crypto';
import type { DatabaseConfig } from './database.js';
import type { SettingsReader } from './reader.js';

/** Where the secret key comes from. */
export type SecretKeySource =
  | { readonly kind: 'given'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  /** Made on the first run and kept there. */
  | { readonly kind: 'kept'; readonly path: string };

/** With SQLite a key is made and kept beside it unless one is given. */
export const secretKeyOf = (reader: SettingsReader, database: DatabaseConfig, dataDir: string): SecretKeySource => {
  const text = reader.secret('SHIPWORTHY_SECRET_KEY', 32, 1000);
  const path = reader.text('SHIPWORTHY_SECRET_KEY_FILE');
  if (text !== null && path !== undefined)
    reader.fault('SHIPWORTHY_SECRET_KEY_FILE', 'excludes SHIPWORTHY_SECRET_KEY.');
  if (text !== null) return { kind: 'given', text };
  if (path !== undefined) return { kind: 'file', path };
  if (database.kind === 'postgres') reader.fault('SHIPWORTHY_SECRET_KEY', 'is required with PostgreSQL.');
  return { kind: 'kept', path: database.kind === 'sqlite' ? `${database.file}.key` : join(dataDir, 'secret.key') };
};

/** Public keys whose verdicts stay verifiable. */
export const formerVerdictKeysOf = (reader: SettingsReader): readonly string[] => {
  const text = reader.text('SHIPWORTHY_FORMER_VERDICT_KEYS');
  const keys = text === undefined ? [] : text.split(',').map((key) => key.trim());
  if (!keys.every(isPublicKeyText))
    reader.fault(
      'SHIPWORTHY_FORMER_VERDICT_KEYS',
      'must be public keys of 43 base64url characters, separated by commas.',
    );
  return keys;
};
