import { createHash } from 'node:crypto';
import type { Access } from '../access.js';
import { type Rows, rowPages } from './row-pages.js';
import { type CopiedTable, TABLES } from './table-list.js';

/** How many rows a table has, and a checksum of them that is the same in either database and in whatever order they come. */
export interface TableSum {
  readonly table: string;
  readonly rows: number;
  /** 32 hexadecimal digits. */
  readonly checksum: string;
}

const BITS = 128;
const BYTES = BITS / 8;

/** Adds up rows: the sum of the first 128 bits of each row's SHA-256, modulo 2^128, so that equal rows count too. */
export const tableAdder = (table: string) => {
  let rows = 0;
  let sum = 0n;
  return {
    add: (added: Rows): void => {
      rows += added.length;
      for (const row of added) {
        const digest = createHash('sha256').update(JSON.stringify(row)).digest('hex');
        sum += BigInt(`0x${digest.slice(0, 2 * BYTES)}`);
      }
      sum = BigInt.asUintN(BITS, sum);
    },
    sum: (): TableSum => ({ table, rows, checksum: sum.toString(16).padStart(2 * BYTES, '0') }),
  };
};

/** The sum of a table as it stands. On PostgreSQL within a transaction. */
export const sumOf = async (access: Access, table: CopiedTable): Promise<TableSum> => {
  const adder = tableAdder(table.name);
  for await (const rows of rowPages(access, table)) adder.add(rows);
  return adder.sum();
};

/** The sums of all tables, in the order of the list; all of one state only while nobody writes. */
export const sumsOf = async (access: Access): Promise<readonly TableSum[]> => {
  const sums: TableSum[] = [];
  for (const table of TABLES) sums.push(await sumOf(access, table));
  return sums;
};
