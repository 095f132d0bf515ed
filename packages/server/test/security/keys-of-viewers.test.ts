import { type Operation, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Caller } from '../harness/caller.js';
import { useStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

type Id = keyof typeof successes;

/** Operations that change something by a key or a session; a POST that a key may do with the scope to read changes nothing. */
const isWriting = ({ method, auth }: Operation): boolean => {
  if (method === 'GET' || auth.kind === 'open' || auth.kind === 'signature') return false;
  return !(auth.kind === 'key' && auth.scope === 'read');
};
const WRITING = (Object.keys(successes) as Id[]).filter((id) => isWriting(operations[id]));

describe('a key of a viewer that holds every scope', () => {
  const stage = useStage();

  let key: Caller;
  before(async () => {
    const { world, team, service } = stage();
    const vera = await world.person('Vera');
    await world.member(team, vera, 'member');
    key = service.withKey(await world.key(vera));
    await service.ports.stores.teams.changeRole(team.id, vera.user.id, 'viewer');
  });

  it('is tried on everything that writes', () => {
    expect(WRITING).to.have.length.above(40);
    expect(WRITING).to.include.members([
      'recordDeployment',
      'importTestRuns',
      'receiveCdEvent',
      'waiveReason',
      'createTeam',
    ]);
  });

  for (const id of WRITING)
    it(`cannot ${id}`, async () => {
      const sent = await successes[id](stage());
      const { status, text } = await key.ask(id, sent as never);
      // Records of a batch are refused one by one.
      if (/^import(Deployments|TestRuns)$/.test(id) && status === 200) {
        const { data } = JSON.parse(text) as { data: readonly { result: string }[] };
        expect(data.map(({ result }) => result)).to.deep.equal(['refused']);
      } else expect(status, text).to.equal(403);
    });
});
