import { expect } from 'chai';
import { FINISHED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';
import { pointMade } from '../harness/trend.js';

describe('listHistory', () => {
  const stage = useFreshStage();

  it('lists the points oldest first with what caused them', async () => {
    const { pipeline, inRelease, service } = stage();
    const ids: string[] = [];
    for (const status of ['success', 'failure', 'failure'] as const) {
      service.clock.pass(60_000);
      const { body } = await pipeline.ok('recordDeployment', { body: { ...FINISHED, status } });
      ids.push(body.data.id);
      await pointMade(stage(), body.data.id);
    }
    const { body } = await pipeline.ok('listHistory', { path: inRelease });
    const moments = body.data.map(({ at }) => at);
    expect(moments)
      .to.deep.equal([...moments].sort())
      .and.to.have.length.above(1);
    const causes = body.data.flatMap((point) => point.causes.map(({ id }) => id));
    expect(causes).to.include.members(ids);
    const last = body.data.at(-1);
    expect(last).to.deep.include({ score: 16.66, coverage: 0.4, decision: 'hold', cause_count: 1 });
    expect(last?.axes.map(({ axis, score }) => [axis, score])).to.deep.equal([
      ['scope', null],
      ['quality', null],
      ['ops', 0],
      ['verification', null],
      ['stability', 33.33],
    ]);
    const first = await pipeline.ok('listHistory', { path: inRelease, query: { limit: 1 } });
    expect(first.body.data).to.deep.equal(body.data.slice(0, 1));
    const cursor = first.body.next_cursor ?? '';
    const rest = await pipeline.ok('listHistory', { path: inRelease, query: { cursor } });
    expect(rest.body.data).to.deep.equal(body.data.slice(1));
  });
});
