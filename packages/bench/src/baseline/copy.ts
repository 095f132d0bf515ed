import pg from 'pg';
import { DEPLOYMENT_COLUMNS } from './deployment-columns.js';

const COLUMNS = DEPLOYMENT_COLUMNS.join(', ');

/** Seconds that PostgreSQL takes to copy a file that it reads itself into new tables. */
export interface CopyTimes {
  /** Into a table with the indexes and the foreign key of the service's own. */
  readonly alike: number;
  /** Into one with a primary key alone. */
  readonly bare: number;
}

const TABLES = {
  alike: [
    'create table copied (like deployments including all)',
    'alter table copied add foreign key (project_id) references projects (id)',
  ],
  bare: ['create table copied (like deployments)', 'alter table copied add primary key (id)'],
} as const;

/** Copies a CSV of deployments as fast as PostgreSQL can, into either kind of table; each is dropped again. @throws Error unless all rows are there */
export const copyPast = async (connectionString: string, csv: string, rows: number): Promise<CopyTimes> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const copied = async (kind: keyof typeof TABLES): Promise<number> => {
    for (const statement of TABLES[kind]) await client.query(statement);
    await client.query('checkpoint');
    const begin = performance.now();
    const { rowCount } = await client.query(`copy copied (${COLUMNS}) from '${csv}' (format csv)`);
    const seconds = (performance.now() - begin) / 1_000;
    if (rowCount !== rows) throw new Error(`${rowCount} rows were copied instead of ${rows}.`);
    await client.query('drop table copied');
    return seconds;
  };
  try {
    return { bare: await copied('bare'), alike: await copied('alike') };
  } finally {
    await client.end();
  }
};
