import { type Database, knexStores } from '@shipworthy/adapters/knex';
import { CHANGING } from './changes.js';
import { type Explained, explaining } from './explained.js';
import { type Place, type Question, READING } from './questions.js';

/** A statement of a question with what is wrong with its plan; null: nothing. */
export interface Finding extends Explained {
  readonly title: string;
  readonly fault: string | null;
}

/** Rows any question may look at, and for each one it answers. */
const ROWS = 300;
const ROWS_EACH = 12;
/** Pages any question may touch, and for each row it looks at: the way down an index has four of them. */
const PAGES = 600;
const PAGES_EACH = 12;

const faultOf = ({ effort }: Explained, { allowed }: Question): string | null => {
  if (effort.scanned.length > 0) return `reads all of ${effort.scanned.join(', ')}`;
  const { rows: more = 0 } = allowed ?? {};
  const most = ROWS + ROWS_EACH * effort.rows + more;
  if (effort.looked > most) return `looks at ${effort.looked} rows, ${most} at most`;
  const pages = PAGES + PAGES_EACH * Math.max(effort.looked, effort.rows + more);
  return effort.pages > pages ? `touches ${effort.pages} pages, ${pages} at most` : null;
};

/**
 * Asks every question through the server's own stores and judges the plan of every statement they send: it must not read a
 * big table from end to end, nor much more than it answers. @param big tables that are too big for that
 */
export const checkPlans = async (
  database: Database,
  place: Place,
  big: ReadonlySet<string>,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const question of [...READING, ...CHANGING]) {
    const access = explaining(
      database.access,
      (table) => big.has(table),
      (explained) => findings.push({ title: question.title, ...explained, fault: faultOf(explained, question) }),
    );
    await question.ask(knexStores({ ...database, access }), place);
  }
  return findings;
};
