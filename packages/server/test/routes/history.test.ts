import { Difference } from '@shipworthy/client/contract';
import { DEFAULT_POLICY, difference } from '@shipworthy/domain/readiness';
import type { ReleaseDifference } from '@shipworthy/domain/use-cases';
import { expect } from 'chai';
import { wireDifference } from '../../src/routes/history.js';
import { expectToFit } from '../harness/contract-check.js';
import { FINISHED } from '../harness/reports.js';
import { useFreshStage } from '../harness/stage.js';
import { pointMade } from '../harness/trend.js';
import { FACTS, ID, judged, NO_FACTS } from '../wire/judged-release.js';

describe('listHistory', () => {
  const stage = useFreshStage();

  it('lists the points oldest first with what caused them', async () => {
    const { ada, pipeline, inRelease, service } = stage();
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
    expect(body.data.at(-1)?.causes.map(({ by }) => by)).to.deep.equal([
      { kind: 'api_key', name: 'pipeline', user_id: ada.user.id },
    ]);
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

const known = (facts: typeof FACTS): ReleaseDifference['from'] => ({
  ...judged(facts),
  knowledge: { revision: 1, at: 0 },
  basis: { facts, policy: { policy: DEFAULT_POLICY, version: 1, changedAt: 0, changedBy: null }, waivers: [] },
});

describe('wireDifference', () => {
  const [from, to] = [known(NO_FACTS), known(FACTS)];
  const cause = { kind: 'issue', id: ID, at: 999, what: ['added', 'done'], axes: ['scope'] } as const;
  const records = [
    { ...cause, title: 'Refunds' },
    { ...cause, title: null },
  ];
  const wire = wireDifference({ from, to, ...difference(from.report, to.report), records, recordCount: 7 }, 'sealed');

  it('shows both readings, every axis and the reasons that went and came', () => {
    expectToFit(Difference, wire, 'The difference');
    expect(wire.from).to.deep.equal({
      as_of: '1970-01-01T00:00:01.000Z',
      score: null,
      coverage: 0,
      decision: 'unknown',
    });
    expect(wire.to).to.include({ coverage: 1, decision: 'hold' });
    expect(wire.axes.map(({ before }) => before)).to.deep.equal(Array(5).fill({ state: 'unmeasured', score: null }));
    expect(wire.axes[0]?.after).to.deep.equal({ state: 'measured', score: 66.66 });
    expect(wire.reasons.gone.map(({ axis }) => axis)).to.include('scope');
    expect(wire.reasons.come[0]).to.have.keys('code', 'actual', 'required', 'message', 'waived');
  });

  it('leaves out the title where there is none', () => {
    const issue = { kind: 'issue', id: ID, at: '1970-01-01T00:00:00.999Z', what: ['added', 'done'], axes: ['scope'] };
    expect(wire.data).to.deep.equal([{ ...issue, title: 'Refunds' }, issue]);
    expect([wire.record_count, wire.next_cursor]).to.deep.equal([7, 'sealed']);
  });
});
