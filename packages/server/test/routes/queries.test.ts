import { type Operation, operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { useStage } from '../harness/stage.js';
import { successes } from '../harness/successes.js';

type Id = keyof typeof successes;
const operationOf = (id: Id): Operation => operations[id];
const IDS = (Object.keys(successes) as Id[]).filter((id) => operationOf(id).query);

describe('the query of every operation that takes one', () => {
  const stage = useStage();

  for (const id of IDS) {
    const { auth, query } = operationOf(id);
    const refuse = async (rawQuery: string) => {
      const caller = auth.kind === 'session' ? stage().browser : stage().pipeline;
      const { body } = await caller.refused(id, 'invalid', { ...(await successes[id](stage())), rawQuery } as never);
      return (body.errors ?? []).map(({ pointer }) => pointer);
    };

    it(`of ${id} holds no parameter that is not known, and none twice`, async () => {
      // The repository host may add to the query it writes.
      if (query?.additionalProperties === false)
        expect(await refuse('colour=red')).to.deep.equal([...(query.required ?? []), 'colour']);
      const [name = ''] = Object.keys(query?.properties ?? {});
      expect(await refuse(`${name}=1&${name}=1`)).to.include(name);
    });

    if (query?.properties?.cursor !== undefined)
      it(`of ${id} asks for 1 to 200 rows, and continues lists of its own only`, async () => {
        for (const limit of ['0', '201', '1.5', 'all', '']) expect(await refuse(`limit=${limit}`)).to.include('limit');
        // What the list cannot do without is given, so that nothing but the cursor is refused.
        const { query: given } = (await successes[id](stage())) as { readonly query?: Record<string, string> };
        const asked = new URLSearchParams({ ...given, cursor: 'eyJhIjoxfQ' });
        expect(await refuse(asked.toString())).to.deep.equal(['cursor']);
      });
  }
});
