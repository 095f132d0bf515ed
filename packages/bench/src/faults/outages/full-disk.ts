import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmdirSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Workshop } from '../../process/workshop.js';
import { postgresQuery } from '../../read-back/query.js';
import type { Outage } from './outage.js';

const PREFIX = 'shipworthy-disk-';
const SIZE = '96m';

const unmount = (folder: string): void => {
  spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' });
  rmdirSync(folder);
};

/** A small disk in memory, or null where nobody may mount one. */
const smallDisk = (workshop: Workshop): string | null => {
  // What a killed run left behind: its disk went with the lazy end of its mount, or is ended now.
  for (const name of readdirSync(tmpdir())) if (name.startsWith(PREFIX)) unmount(join(tmpdir(), name));
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'ignore' });
  if (status !== 0) {
    rmdirSync(folder);
    return null;
  }
  workshop.atClose(async () => unmount(folder));
  return folder;
};

/** Gives the folder to the user PostgreSQL runs as, who need not be this one. */
const giveToPostgres = async (url: string, folder: string): Promise<void> => {
  const [data] = await postgresQuery(url)('show data_directory');
  const { uid, gid } = statSync(String(data?.data_directory));
  chownSync(folder, uid, gid);
};

const statements = async (url: string, ...texts: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of texts) await client.query(text);
  } finally {
    await client.end();
  }
};

/** Says of every new row what a full disk says. */
const REFUSE = `
  create function no_room() returns trigger language plpgsql as
  $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`;

const pretended = (url: string): Outage => ({
  name: 'told by PostgreSQL that the disk is full',
  leaves: 'something',
  begin: async () => {
    await statements(url, REFUSE, 'create trigger no_room before insert on deployments execute function no_room()');
    return () => statements(url, 'drop trigger no_room on deployments', 'drop function no_room()');
  },
});

/**
 * A full disk: the tables of deployments and their keys are put onto a small disk, which is then filled up. Where no disk
 * can be mounted, PostgreSQL is made to say what it says on a full one.
 */
export const fullDisk = async (workshop: Workshop, url: string): Promise<Outage> => {
  const folder = smallDisk(workshop);
  if (folder === null) return pretended(url);
  await giveToPostgres(url, folder);
  await statements(
    url,
    `create tablespace small location '${folder}'`,
    'alter table deployments set tablespace small',
    'alter table idempotency set tablespace small',
    'alter index deployments_newest set tablespace small',
  );
  const ballast = join(folder, 'ballast');
  return {
    name: 'with a full disk below its tables',
    leaves: 'something',
    begin: async () => {
      const { bsize, bavail } = statfsSync(folder);
      writeFileSync(ballast, Buffer.alloc(bsize * bavail));
      return () => rm(ballast);
    },
  };
};
