import type { Database } from '@shipworthy/adapters/knex';
import { countWords } from '../page/wording.js';
import type { Finding } from './check-plans.js';

const number = (value: number): string => countWords(value).padStart(9);

const line = ({ title, plan, effort, fault }: Finding): string =>
  `${number(effort.rows)} ${number(effort.looked)} ${number(effort.pages)}  ${title}${plan === 'kept' ? ' (kept plan)' : ''}${fault === null ? '' : `  FAULT: ${fault}`}`;

/** The findings as a table; each fault with its statement, or every statement when `verbose`. */
export const plansTable = (findings: readonly Finding[], verbose: boolean): string => {
  const faults = findings.filter(({ fault }) => fault !== null);
  return [
    ' answered    looked     pages',
    ...findings.flatMap((each) => [line(each), ...(verbose || each.fault !== null ? [each.sql] : [])]),
    `${findings.length} plans, ${faults.length} faults`,
  ].join('\n');
};

interface IndexRow {
  readonly name: string;
  readonly bytes: number;
}

/** Every index of the tables that reports fill, with its size and the questions whose plans used it. */
export const indexUse = async ({ access }: Database, findings: readonly Finding[]): Promise<string> => {
  const rows = await access.read<IndexRow>(
    `select c.relname as name, pg_relation_size(c.oid) as bytes from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_class t on t.oid = i.indrelid where t.relkind = 'r' and t.relname in
        ('deployments', 'deployment_counts', 'test_runs', 'latest_test_runs', 'idempotency', 'release_marks') order by 1`,
  );
  return rows
    .map(({ name, bytes }) => {
      const users = new Set(findings.filter(({ effort }) => effort.indexes.includes(name)).map(({ title }) => title));
      return `${name}, ${(bytes / 1e6).toFixed(1)} MB: ${users.size === 0 ? 'used by no question' : [...users].join('; ')}`;
    })
    .join('\n');
};
