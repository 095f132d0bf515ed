import { type Operation, type OperationId, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Caller } from '../harness/caller.js';
import { type Stage, useStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

/** A principal who may call no operation in the team of the stage. */
interface Outsider {
  readonly name: string;
  /** Those of one person who may act. */
  callers(stage: Stage): Promise<readonly Caller[]>;
  /** How the operation answers them. */
  expected(id: OperationId, operation: Operation): readonly (number | string)[];
}

const IDS = Object.keys(successes) as readonly (keyof typeof successes)[];
const isOpen = ({ auth }: Operation): boolean => auth.kind === 'open' || auth.kind === 'signature';

/** Without a team in the path; what they answer anybody with an account. */
const FOR_EVERYBODY: ReadonlySet<OperationId> = new Set<OperationId>([
  'readSession',
  'signOut',
  'whoAmI',
  'listReceivedInvitations',
  'joinTeam',
  'listTeams',
  'createTeam',
  'search',
  'listGateChanges',
  'exportGateChanges',
  'readGateChanges',
  'readPortfolio',
  'exportPortfolio',
  'importDeployments',
  'readHostConnection',
  'connectHost',
  'connectHostByToken',
  'disconnectHost',
  'listApiKeys',
  'exportApiKeys',
  'createApiKey',
  'readVerdictKeys',
]);

const PRINCIPALS: readonly Outsider[] = [
  {
    name: 'a person who is invited and has not accepted',
    callers: async ({ service, world, browser, team }) => {
      const pending = await world.person(`Pending${service.clock.pass(1)}`);
      const body = { email: pending.user.email, role: 'owner' } as const;
      await browser.ok('addMember', { path: { team_id: team.id }, body });
      return [service.signedIn(pending)];
    },
    expected: (id, { path, auth }) => {
      if (path.includes('{team_id}') || path.includes('{deployment_id}')) return [404];
      if (auth.kind === 'session' && auth.administrator) return [403];
      return FOR_EVERYBODY.has(id) ? [200, 201, 202, 204] : [401, 403, 404, 409, 422];
    },
  },
  {
    name: 'a person whose account is disabled, and their key',
    callers: async ({ service, world, browser, team }) => {
      const disabled = await world.person(`Disabled${service.clock.pass(1)}`);
      await world.member(team, disabled, 'owner');
      const key = await world.key(disabled);
      await browser.ok('disablePerson', { path: { user_id: disabled.user.id } });
      service.clock.pass(2000);
      return [service.signedIn(disabled), service.withKey(key)];
    },
    expected: () => [401],
  },
];

for (const { name, callers, expected } of PRINCIPALS)
  describe(`every operation, asked by ${name}`, () => {
    const stage = useStage();

    for (const id of IDS) {
      const operation: Operation = operations[id];
      if (isOpen(operation)) continue;
      it(`${id} is answered as such a person is answered`, async () => {
        const sent = await successes[id](stage());
        for (const caller of await callers(stage())) {
          const { status, text } = await caller.ask(id, sent as never);
          expect(expected(id, operation), `${status} ${text}`).to.include(status);
          if (id !== 'listReceivedInvitations') expect(text).not.to.match(/Payments|"checkout"/);
        }
      });
    }
  });
