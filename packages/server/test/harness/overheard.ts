import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@shipworthy/adapters/knex';
import { type TestDatabase, testDatabase, writeMigratedFile } from '@shipworthy/adapters/test-database';

type Access = Database['access'];

/** The database, and what is sent to it: each statement, and each begin of a transaction or of a part of one. */
export const overheard = (database: Database): { readonly database: Database; readonly sent: string[] } => {
  const sent: string[] = [];
  const note = (sql: string, name?: string): void => {
    sent.push(name ?? sql.trim().split(/\s+/).slice(0, 3).join(' '));
  };
  const over = (access: Access): Access => ({
    ...access,
    get dialect() {
      return access.dialect;
    },
    read: (sql, bindings, name) => {
      note(sql, name);
      return access.read(sql, bindings, name);
    },
    write: (sql, bindings, name) => {
      note(sql, name);
      return access.write(sql, bindings, name);
    },
    atomically: (work) => {
      sent.push('begin');
      return access.atomically((inside) => work(over(inside)));
    },
  });
  return { database: { ...database, access: over(database.access) }, sent };
};

/** Makes a database of each kind, with the whole schema. */
export const DATABASES: Readonly<Record<'SQLite' | 'PostgreSQL', () => Promise<TestDatabase>>> = {
  SQLite: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shipworthy-server-'));
    const path = join(folder, 'service.db');
    await writeMigratedFile(path);
    return { url: `sqlite:${path}`, drop: () => rm(folder, { recursive: true, force: true }) };
  },
  PostgreSQL: () => testDatabase(),
};
