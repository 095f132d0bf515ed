import { type Operation, type OperationId, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import type { Caller } from '../harness/caller.js';
import { useEmptyService } from '../harness/empty-service.js';
import { onEveryStore } from '../harness/openings.js';
import { SETUP } from '../harness/people.js';
import { type Stage, useFreshStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

const callerOf = ({ service, pipeline, browser }: Stage, { auth }: Operation): Caller => {
  if (auth.kind === 'open' || auth.kind === 'signature') return service.anonymous;
  return auth.kind === 'key' ? pipeline : browser;
};

const IDS = Object.keys(successes) as readonly (keyof typeof successes)[];

describe('the table of operations', () => {
  it('is called successfully here, line by line', () => {
    const called: readonly OperationId[] = [...IDS, 'setUp'];
    expect(called).to.have.members(Object.keys(operations)).and.have.lengthOf(new Set(called).size);
  });
});

onEveryStore('every operation', (open) => {
  const stage = useFreshStage(open);
  for (const id of IDS)
    it(`${id} answers as the contract says`, async () => {
      const sent = await successes[id](stage());
      await callerOf(stage(), operations[id]).ok(id, sent as never);
    });
});

onEveryStore('setting up', (open) => {
  const service = useEmptyService(open);

  it('setUp answers as the contract says', async () => {
    await service().anonymous.ok('setUp', { body: SETUP });
  });
});
