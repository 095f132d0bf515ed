import type { HistoryPoint, ReadinessReport, Reason, Waiver } from '@shipworthy/client';
import { expect } from 'chai';
import {
  authorsText,
  axisGateLabel,
  causesText,
  gateReasonText,
  isUntouched,
  shippedText,
  trendText,
  waiverStanding,
} from '../../../src/screens/scorecard/scorecard-words.js';

const reason = (over: Partial<Reason>): Reason => ({
  code: 'axis_below_minimum',
  axis: 'scope',
  actual: 50,
  required: 60,
  message: '',
  waived: false,
  ...over,
});
const standing = (
  reasons: readonly Reason[],
  state: 'measured' | 'unmeasured' = 'measured',
  weight = 1,
): readonly string[] => {
  const gate = { decision: 'hold', decision_without_waivers: 'hold', reasons, waivers: [], next_steps: [] } as const;
  const { look, word } = axisGateLabel({ axis: 'scope', state, weight }, { gate });
  return [look, word];
};

describe('what has shipped', () => {
  const gateOf = (decision: 'go' | 'hold') =>
    ({ decision, decision_without_waivers: decision, reasons: [], waivers: [], next_steps: [] }) as const;
  const span = { starts_at: '2026-11-01T00:00:00Z', shipped_at: '2026-11-13T02:00:00Z' };

  it('is told with its score, its gate and how long it took', () => {
    expect(shippedText({ score: 98.44, gate: gateOf('go') }, span)).to.equal(
      'With a score of 98.4 and the gate at go, 12 days after its start.',
    );
  });

  it('is told without what is not known, and with a hold as a hold', () => {
    expect(shippedText({ score: null, gate: gateOf('hold') }, { ...span, starts_at: null })).to.equal(
      'Without a score and the gate at hold.',
    );
  });
});

describe('what the gate makes of an axis', () => {
  it('is a word as well as a colour', () => {
    expect(standing([])).to.deep.equal(['go', 'passes']);
    expect(standing([reason({})])).to.deep.equal(['hold', 'below 60']);
    expect(standing([reason({ waived: true })])).to.deep.equal(['waived', 'waived']);
    const missing = reason({ code: 'axis_unmeasured', actual: null, required: null });
    expect(standing([missing], 'unmeasured')).to.deep.equal(['unknown', 'required']);
  });

  it('minds its own reasons only, those that are not waived first', () => {
    expect(standing([reason({ axis: 'ops' })])).to.deep.equal(['go', 'passes']);
    expect(standing([reason({ waived: true }), reason({})])).to.deep.equal(['hold', 'below 60']);
  });

  it('passes nothing that is not measured or that has no weight', () => {
    expect(standing([], 'unmeasured')).to.deep.equal(['aside', 'not required']);
    expect(standing([], 'measured', 0)).to.deep.equal(['aside', 'not counted']);
  });
});

describe('a release that nothing is known of', () => {
  const unmeasured = (axis: string) => ({ axis, state: 'unmeasured', weight: 1 });
  const ops = (done: number) => ({ axis: 'ops', state: 'measured', weight: 1, score: 0, facts: { done, total: 3 } });
  const untouched = (over: object) =>
    isUntouched({
      release: { state: 'active' },
      gate: { decision: 'hold', waivers: [] },
      axes: [unmeasured('scope'), ops(0)],
      ...over,
    } as unknown as Parameters<typeof isUntouched>[0]);

  it('is open, unmeasured but for its checklist, of which nothing is done, and has no waiver', () => {
    expect(untouched({})).to.equal(true);
    expect(untouched({ release: { state: 'shipped' } })).to.equal(false);
    expect(untouched({ axes: [ops(1)] })).to.equal(false);
    expect(untouched({ axes: [{ ...unmeasured('scope'), state: 'measured' }, ops(0)] })).to.equal(false);
    expect(untouched({ own_axes: [{ ...unmeasured('coverage'), title: 'Coverage', state: 'measured' }] })).to.equal(
      false,
    );
    const evidence = (part: number) => ({
      ...{ axis: 'evidence', title: 'Evidence', state: 'measured', weight: 1, counted_from: 'checklist_evidence' },
      facts: { part, whole: 3 },
    });
    expect(untouched({ own_axes: [evidence(0)] })).to.equal(true);
    expect(untouched({ own_axes: [evidence(1)] })).to.equal(false);
    expect(untouched({ gate: { decision: 'go', waivers: [] } })).to.equal(false);
    expect(untouched({ gate: { decision: 'hold', waivers: [{}] } })).to.equal(false);
  });
});

const NOW = Date.UTC(2026, 10, 21);
const waiver = (more: Partial<Waiver>): Waiver => ({
  id: 'w',
  code: 'axis_unmeasured',
  axis: 'ops',
  text: 'Later',
  actual: null,
  created_by: 'Ada',
  created_at: '2026-11-20T00:00:00.000Z',
  expires_at: '2026-11-22T00:00:00.000Z',
  withdrawn_at: null,
  withdrawn_by: null,
  ...more,
});

describe('whether a waiver applies', () => {
  it('is in force when the report names it, however its clock reads', () => {
    expect(waiverStanding(waiver({ expires_at: '2026-11-01T00:00:00.000Z' }), new Set(['w']), NOW)).to.equal('applies');
  });

  it('else says why not', () => {
    const none = new Set<string>();
    expect(waiverStanding(waiver({ withdrawn_at: '2026-11-20T01:00:00.000Z' }), none, NOW)).to.equal('withdrawn');
    expect(waiverStanding(waiver({ expires_at: '2026-11-21T00:00:00.000Z' }), none, NOW)).to.equal('expired');
    expect(waiverStanding(waiver({}), none, NOW)).to.equal('needless');
  });
});

const AT = '2026-11-03T12:00:00.000Z';
const point = (score: number | null, decision: HistoryPoint['decision'], at = AT): HistoryPoint => ({
  at,
  score,
  coverage: 1,
  decision,
  axes: [],
  causes: [],
  cause_count: 0,
});

describe('the course of a score in words', () => {
  it('says from where to where it went, and what became of the gate', () => {
    const points = [point(null, 'unknown'), point(41.29, 'hold'), point(84.2, 'go'), point(84.26, 'go')];
    expect(trendText(points)).to.equal('From no score on Nov 3, 2026 to 84.2. 2 gate changes, now Go.');
    expect(trendText(points.slice(1, 3))).to.contain('1 gate change, now Go');
    expect(trendText([point(10, 'hold')])).to.equal('From 10.0 on Nov 3, 2026 to 10.0. Hold throughout.');
    expect(trendText([])).to.equal('Nothing recorded yet.');
  });

  it('names what moved a point by its kinds, each record once, and how many more there were', () => {
    const causes = [
      { kind: 'deployment', id: 'a', at: AT },
      { kind: 'deployment', id: 'a', at: AT },
      { kind: 'deployment', id: 'b', at: AT },
      { kind: 'test_run', id: 'c', at: AT },
    ] as const;
    expect(causesText({ causes, cause_count: 4 })).to.equal('2 deployments, 1 test run');
    expect(causesText({ causes, cause_count: 9 })).to.equal('2 deployments, 1 test run, 5 more');
    expect(causesText({ causes: [], cause_count: 0 })).to.equal('');
  });

  it('are said with who did it, as far as that is known', () => {
    const cause = { kind: 'issue', id: 'a', at: AT } as const;
    const by = (name: string, kind: 'person' | 'api_key' | 'host' = 'person') => ({ ...cause, by: { kind, name } });
    const limit = { ...cause, kind: 'time_limit' } as const;
    const ci = by('ci-main', 'api_key');
    expect(authorsText({ causes: [by('Ann'), ci, ci, limit] })).to.equal('by Ann, ci-main (API key)');
    expect(authorsText({ causes: [cause, by('GitHub', 'host')] })).to.equal('by GitHub, unknown');
    expect(authorsText({ causes: [by('A'), by('B'), by('C'), by('D'), cause] })).to.equal('by A, B, C and 2 more');
    expect(authorsText({ causes: [limit] })).to.equal('');
  });

  it('mark who is gone, once the members are known', () => {
    const by = (user_id: string, kind: 'person' | 'api_key' = 'person') =>
      ({ kind: 'issue', id: 'a', at: AT, by: { kind, name: user_id, user_id } }) as const;
    const members = [
      { user_id: 'Ann', disabled: false },
      { user_id: 'Bob', disabled: true },
    ];
    const causes = [by('Ann'), by('Bob'), by('Eve')];
    expect(authorsText({ causes })).to.equal('by Ann, Bob, Eve');
    expect(authorsText({ causes }, members)).to.equal('by Ann, Bob (account disabled), Eve (not in the team now)');
    const keys = [by('Ann', 'api_key'), by('Bob', 'api_key'), by('Eve', 'api_key')];
    expect(authorsText({ causes: keys }, members)).to.equal(
      'by Ann (API key), Bob (API key, its maker’s account is disabled), Eve (API key, its maker is not in the team now)',
    );
    const host = { kind: 'issue', id: 'a', at: AT, by: { kind: 'host', name: 'GitHub' } } as const;
    expect(authorsText({ causes: [host] }, members)).to.equal('by GitHub');
  });
});

const judged = (
  reasons: readonly Reason[],
  decision: 'go' | 'hold' | 'unknown' = 'hold',
  waivers = 0,
  states: readonly ('measured' | 'unmeasured')[] = ['measured'],
): string => {
  const gate = {
    decision,
    decision_without_waivers: decision,
    reasons,
    waivers: Array(waivers).fill({}),
    next_steps: [],
  };
  return gateReasonText({ gate, axes: states.map((state) => ({ state })) as unknown as ReadinessReport['axes'] });
};

describe('why the gate decided so', () => {
  const quality = reason({ axis: 'quality', actual: 50, required: 60 });
  const ops = reason({ axis: 'ops', actual: 75.5, required: 100 });
  const { axis: _, ...ofNoAxis } = reason({});
  const score: Reason = { ...ofNoAxis, code: 'score_below_threshold', actual: 75.03, required: 80 };
  const bugs = reason({ code: 'open_critical_bugs', axis: 'quality', actual: 1, required: 0 });
  const missing = reason({ code: 'axis_unmeasured', actual: null, required: null });

  it('names the axes below their minimum with their scores', () => {
    expect(judged([quality])).to.equal('Quality is at 50, below its minimum of 60.');
    expect(judged([score, quality, ops])).to.equal(
      '2 axes are below their minimum: Quality 50, Ops 75.5. The score is 75, below the threshold of 80.',
    );
  });

  it('names critical bugs, axes that are not measured, and a score that is low by itself', () => {
    expect(judged([bugs])).to.equal('1 critical bug is open.');
    expect(judged([missing], 'unknown')).to.equal('Scope is not measured.');
    expect(judged([missing, reason({ ...missing, axis: 'ops' })], 'unknown')).to.equal(
      '2 axes are not measured: Scope, Ops.',
    );
    expect(judged([score])).to.equal('The score is 75, below the threshold of 80.');
  });

  it('leaves out what is waived, and never says that all is met where it is only waived', () => {
    expect(judged([{ ...quality, waived: true }, bugs], 'hold', 1)).to.equal('1 critical bug is open.');
    expect(judged([{ ...quality, waived: true }], 'go', 1)).to.equal('Every requirement is met or waived.');
    expect(judged([], 'go')).to.equal('Every requirement is met.');
    expect(judged([], 'go', 0, ['measured', 'unmeasured'])).to.equal(
      'Every requirement is met. Not every axis is measured.',
    );
  });

  it('never reads like a go where the gate holds without a reason it knows', () => {
    expect(judged([], 'hold')).to.equal('The gate gives no reason.');
    expect(judged([{ ...ofNoAxis, code: 'no_weights', actual: null, required: null }], 'unknown')).to.equal(
      'Every weight of the policy is 0, so nothing is judged.',
    );
  });
});
