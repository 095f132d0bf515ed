import { expect } from 'chai';
import { sumsOf } from '../../src/knex/copy/copy-database-sql.js';
import { storedFullTeam } from '../contract/full-team.js';
import { withNew } from './opened.js';

/** What belongs to persons or to the service, not to a team. */
const NOT_OF_TEAMS = [
  'users',
  'sessions',
  'read_gate_changes',
  'sign_in_attempts',
  'known_addresses',
  'idempotency',
  'host_connections',
  'host_approvals',
  'hook_deliveries',
  'told_events',
  'host_endings',
  'database_identity',
  'key_salt',
];

describe('removing the demo', () => {
  for (const kind of ['SQLite', 'PostgreSQL'] as const)
    it(`leaves every table on ${kind} as before the demo, with any content of the demo`, () =>
      withNew(kind, async ({ database, stores }) => {
        await storedFullTeam(stores);
        const sums = () => database.access.atomically(sumsOf);
        const before = await sums();
        const team = await storedFullTeam(stores, { demo: true });
        const filled = await sums();
        const ofTeams = before.filter(({ table }) => !NOT_OF_TEAMS.includes(table));
        for (const { table, rows } of ofTeams)
          expect(filled.find((other) => other.table === table)?.rows, table).to.be.above(rows);
        expect(await stores.teams.removeDemo(team.id)).to.equal(true);
        const after = await sums();
        for (const one of ofTeams) expect(after).to.deep.include(one);
      }));
});
