import { AxisReading } from '@shipworthy/client/contract';
import type { AxisReading as DomainReading } from '@shipworthy/domain';
import { expect } from 'chai';
import { wireReading } from '../../src/wire/axis-reading.js';
import { expectToFit } from '../harness/contract-check.js';
import { FACTS, ISSUES_AS_OF, judged, NO_FACTS } from './judged-release.js';

describe('wireReading', () => {
  it('shows score and facts of every measured axis', () => {
    const { axes } = judged(FACTS).report;
    const wire = axes.map(wireReading);
    for (const reading of wire) expectToFit(AxisReading, reading, reading.axis);
    expect(wire.map(({ state }) => state)).to.deep.equal(Array.from({ length: 5 }, () => 'measured'));
    expect(wire.map((reading) => (reading.state === 'measured' ? reading.score : null))).to.deep.equal([
      66.66, 50, 33.33, 99.51, 90,
    ]);
    expect(wire.map(({ facts }) => facts)).to.deep.equal([
      { done: 2, total: 3 },
      { resolved: 1, total: 2, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } },
      { done: 1, total: 3, open_items: ['Docs', 'Rollback'] },
      { passed: 410, total: 412, ran_at: '1970-01-01T00:00:00.500Z', suite: 'unit', commit_sha: null, runs: 1 },
      {
        succeeded: 9,
        failed: 1,
        in_progress: 2,
        change_failure_rate: 0.1,
        interval: axes[4]?.changeFailureRate?.interval,
      },
    ]);
  });

  it('shows the cause of every unmeasured axis, and no facts where there is no run', () => {
    const wire = judged(NO_FACTS).report.axes.map(wireReading);
    for (const reading of wire) expectToFit(AxisReading, reading, reading.axis);
    expect(wire.map((reading) => (reading.state === 'unmeasured' ? reading.cause : null))).to.deep.equal([
      'no_issues',
      'no_issues',
      'no_checklist_items',
      'no_test_run',
      'no_finished_deployment',
    ]);
    expect(wire.map((reading) => 'facts' in reading)).to.deep.equal([true, true, true, false, true]);
    expect(wire[4]?.facts).to.include({ change_failure_rate: null, interval: null });
    for (const reading of wire) expect(reading).not.to.have.property('score');
  });

  it('shows as of when the issues are known on scope and quality, only while they are not current', () => {
    for (const facts of [FACTS, NO_FACTS]) {
      const wire = judged({ ...facts, issuesAsOf: ISSUES_AS_OF }).report.axes.map(wireReading);
      for (const reading of wire) expectToFit(AxisReading, reading, reading.axis);
      const asOf = wire.map((reading) => ('as_of' in reading ? reading.as_of : null));
      expect(asOf).to.deep.equal(['2026-11-21T14:03:59.123Z', '2026-11-21T14:03:59.123Z', null, null, null]);
      for (const { explanation } of wire.slice(0, 2)) expect(explanation).to.match(/, as of 14:03 UTC on 2026-11-21$/);
      for (const current of [facts, { ...facts, issuesAsOf: null }])
        for (const reading of judged(current).report.axes) expect(wireReading(reading)).not.to.have.property('as_of');
    }
  });

  it('refuses it on every other axis', () => {
    const [, , ...others] = judged(FACTS).report.axes.map(wireReading);
    for (const reading of others)
      expect(() =>
        expectToFit(AxisReading, { ...reading, as_of: '2026-11-21T14:03:59.123Z' }, reading.axis),
      ).to.throw();
  });

  it('says nothing of it where a report was frozen before it could be told', () => {
    const { axes } = judged(FACTS).report;
    const before = axes.map(({ asOf: _, ...reading }) => reading as DomainReading);
    expect(before.map(wireReading)).to.deep.equal(axes.map(wireReading));
  });
});
