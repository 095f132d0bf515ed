import { join, resolve } from 'node:path';
import type { SettingsReader } from './reader.js';

/** Where everything is stored. */
export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly file: string }
  /** `readUrl` leads to a streaming replica; null: there is none. */
  | { readonly kind: 'postgres'; readonly url: string; readonly readUrl: string | null };

const POSTGRES = /^postgres(ql)?:\/\/./;

/** The database the settings name; a SQLite file in the data folder unless they name one. */
export const databaseOf = (reader: SettingsReader, dataDir: string, workingDirectory: string): DatabaseConfig => {
  const url = reader.text('DATABASE_URL');
  const readUrl = reader.text('DATABASE_READ_URL') ?? null;
  if (url !== undefined && POSTGRES.test(url)) {
    if (readUrl !== null && !POSTGRES.test(readUrl)) reader.fault('DATABASE_READ_URL', 'must begin with postgres://.');
    return { kind: 'postgres', url, readUrl };
  }
  if (readUrl !== null) reader.fault('DATABASE_READ_URL', 'needs a DATABASE_URL that begins with postgres://.');
  if (url === undefined) return { kind: 'sqlite', file: join(dataDir, 'shipworthy.sqlite') };
  const [, file] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url) ?? [];
  if (file === undefined) reader.fault('DATABASE_URL', 'must begin with sqlite: or postgres://.');
  return { kind: 'sqlite', file: resolve(workingDirectory, file ?? '') };
};
