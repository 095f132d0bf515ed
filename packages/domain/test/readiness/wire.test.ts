import { expect } from 'chai';
import fc from 'fast-check';
import {
  assessRelease,
  changesOfRequest,
  DEFAULT_POLICY,
  judgementForm,
  type ReleaseFacts,
  verificationForm,
  type Waiver,
} from '../../src/readiness/index.js';
import { readingForm, waiverForm } from '../../src/readiness/wire.js';

const AT = Date.UTC(2026, 10, 21, 9, 30, 0, 5);
const HOUR = 3_600_000;

const FACTS: ReleaseFacts = {
  scope: { done: 2, total: 3 },
  quality: { resolved: 0, total: 1, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } },
  ops: { done: 2, total: 3, openItems: ['Rollback'] },
  verification: { passed: 9, total: 10, ranAt: AT, suite: 'unit', commitSha: null, runs: 1 },
  stability: { succeeded: 0, failed: 0, inProgress: 1 },
  sources: { deployments: null, testRuns: { lastAt: AT, medianMs: HOUR } },
};

const WAIVER: Waiver = {
  id: 'w1',
  releaseId: 'r1',
  code: 'open_critical_bugs',
  axis: null,
  text: 'Known.',
  actual: 1,
  createdBy: 'Ada',
  createdAt: AT,
  expiresAt: AT + 24 * HOUR,
  withdrawnAt: null,
  withdrawnBy: null,
};

describe('judgementForm', () => {
  const form = judgementForm(assessRelease(FACTS, DEFAULT_POLICY, AT + 4 * HOUR, [WAIVER]));
  const [scope, quality, ops, verification, stability] = form.axes;

  it('names what the engine names in camel case as it is sent', () => {
    expect(scope).to.include({ axis: 'scope', state: 'measured', score: 66.66, weight: 1 });
    expect(scope).to.deep.include({ facts: { done: 2, total: 3 } });
    expect(quality).to.deep.include({
      facts: { resolved: 0, total: 1, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } },
    });
    expect(ops).to.deep.include({ facts: { done: 2, total: 3, open_items: ['Rollback'] } });
    expect(verification).to.deep.include({
      facts: { passed: 9, total: 10, ran_at: '2026-11-21T09:30:00.005Z', suite: 'unit', commit_sha: null, runs: 1 },
    });
    expect(stability).to.deep.include({
      state: 'unmeasured',
      cause: 'no_finished_deployment',
      facts: { succeeded: 0, failed: 0, in_progress: 1, change_failure_rate: null, interval: null },
    });
  });

  it('leaves an axis out where there is none, and keeps null where it says something', () => {
    const critical = form.gate.reasons.find(({ code }) => code === 'open_critical_bugs');
    expect(critical).to.include({ actual: 1, required: 0, waived: true }).and.not.to.have.property('axis');
    expect(form.gate.waivers).to.deep.equal([
      {
        id: 'w1',
        code: 'open_critical_bugs',
        text: 'Known.',
        actual: 1,
        created_by: 'Ada',
        created_at: '2026-11-21T09:30:00.005Z',
        expires_at: '2026-11-22T09:30:00.005Z',
        withdrawn_at: null,
        withdrawn_by: null,
      },
    ]);
    expect(form.gate.reasons.find(({ code }) => code === 'axis_unmeasured')).to.include({
      axis: 'stability',
      actual: null,
    });
  });

  it('says since when what is not of now, the interval of a rate, and the axis of a waiver', () => {
    const facts = { ...FACTS, stability: { succeeded: 3, failed: 1, inProgress: 0 }, issuesAsOf: AT };
    const waiver: Waiver = { ...WAIVER, code: 'axis_below_minimum', axis: 'ops', actual: 66.66 };
    const report = assessRelease(facts, DEFAULT_POLICY, AT, [waiver]);
    const { axes, gate } = judgementForm(report);
    expect(axes[0]).to.include({ axis: 'scope', as_of: '2026-11-21T09:30:00.005Z' });
    expect(axes[2]).not.to.have.property('as_of');
    expect(axes[4]).to.have.deep.property('facts', {
      succeeded: 3,
      failed: 1,
      in_progress: 0,
      change_failure_rate: 0.25,
      interval: report.axes[4]?.changeFailureRate?.interval,
    });
    expect(gate.waivers[0]).to.include({ axis: 'ops' });
  });

  it('says what to do next, who withdrew a waiver, and nothing of a run that was not recorded', () => {
    const withdrawn: Waiver = { ...WAIVER, withdrawnAt: AT + HOUR, withdrawnBy: 'Ben' };
    expect(waiverForm(withdrawn)).to.include({ withdrawn_at: '2026-11-21T10:30:00.005Z', withdrawn_by: 'Ben' });
    const report = assessRelease({ ...FACTS, verification: null }, DEFAULT_POLICY, AT);
    const { axes, gate } = judgementForm(report);
    expect(axes[3]).not.to.have.property('facts');
    expect(gate.next_steps).to.deep.equal(report.gate.nextSteps).and.have.length.above(0);
  });

  it('says what was left out of the checklist, by whom and when, and only where something was', () => {
    const mark = { title: 'Docs', reason: 'Texts only', markedBy: 'Ben', markedAt: AT, confirmedBy: 'Ada' };
    const earlier = { title: 'Flag', reason: null, markedBy: null, markedAt: null, confirmedBy: null };
    const notApplicable = [
      { ...mark, confirmed: true },
      { ...earlier, confirmed: false },
    ];
    const removed = [{ title: 'Pen test', removedBy: 'Ada', removedAt: AT }];
    const sent = (leftOut: object) => {
      const reading = assessRelease({ ...FACTS, ops: { ...FACTS.ops, ...leftOut } }, DEFAULT_POLICY, AT).axes[2];
      if (reading === undefined) throw new Error('there is no reading of ops');
      return readingForm(reading).facts;
    };
    const counts = { done: 2, total: 3, open_items: ['Rollback'] };
    const at = '2026-11-21T09:30:00.005Z';
    expect(sent({})).to.deep.equal(counts);
    expect(sent({ removed })).to.deep.equal({ ...counts, removed: [{ title: 'Pen test', by: 'Ada', at }] });
    expect(sent({ notApplicable })).to.deep.equal({
      ...counts,
      not_applicable: [
        { title: 'Docs', reason: 'Texts only', by: 'Ben', at, confirmed: true, confirmed_by: 'Ada' },
        { title: 'Flag', reason: null, by: null, at: null, confirmed: false, confirmed_by: null },
      ],
    });
  });

  it('names the suite of a run that was set aside, and the one that did worse than the run that counts', () => {
    const facts = { ...FACTS, verification: null, testRunSetAside: { suite: 'unit' } };
    const [, , , aside] = judgementForm(assessRelease(facts, DEFAULT_POLICY, AT)).axes;
    expect(aside).to.deep.include({ state: 'unmeasured', set_aside: { suite: 'unit' } });
    expect(verification).not.to.have.property('set_aside');
    const run = { passed: 9, total: 10, ranAt: AT, suite: 'unit', commitSha: null, runs: 1 };
    const worseSuite = { suite: 'e2e', passed: 1, total: 2 };
    expect(verificationForm({ ...run, worseSuite }).worse_suite).to.deep.equal(worseSuite);
    expect(verificationForm({ ...run, worseSuite: null }).worse_suite).to.equal(null);
    expect(verificationForm(run)).not.to.have.property('worse_suite');
  });

  it('says why an own axis has no score, with its unit, and its report where there is one', () => {
    const own = { name: 'security', unit: { one: 'finding', many: 'findings' } };
    const policy = { ...DEFAULT_POLICY, ownAxes: [own] };
    const sent = (ownAxes: ReleaseFacts['ownAxes']) =>
      judgementForm(assessRelease({ ...FACTS, ...(ownAxes && { ownAxes }) }, policy, AT)).own_axes?.[0];
    const unmeasured = { axis: 'security', unit: own.unit, state: 'unmeasured' };
    expect(sent(undefined))
      .to.deep.include({ ...unmeasured, cause: 'no_report' })
      .and.not.to.have.property('facts');
    const report = { part: 0, whole: null, explanation: 'No scanner.', url: null };
    expect(sent({ security: { ...report, measuredAt: AT } })).to.deep.include({
      ...{ ...unmeasured, cause: 'not_measurable' },
      facts: { ...report, measured_at: '2026-11-21T09:30:00.005Z' },
      explanation: 'The latest report of security could not measure it: No scanner.',
    });
    expect(sent({ security: { ...report, part: 1, whole: 2, measuredAt: AT } })).to.include({
      state: 'measured',
      score: 50,
      explanation: '1 of 2 findings: No scanner.',
    });
  });

  it('reports no silent source in a report that was frozen before there were any', () => {
    const { silentSources: _, ...older } = assessRelease(FACTS, DEFAULT_POLICY, AT + 4 * HOUR);
    expect(judgementForm(older).silent_sources).to.deep.equal([]);
  });

  it('writes moments as the platform does, in every year there may be', () => {
    const moment = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(moment, (ranAt) => {
        const facts = { passed: 1, total: 1, ranAt, suite: null, commitSha: null, runs: 1 };
        expect(verificationForm(facts).ran_at).to.equal(new Date(ranAt).toISOString());
      }),
    );
  });

  it('tells silent sources in hours', () => {
    expect(form.silent_sources).to.deep.equal([
      {
        source: 'test_runs',
        last_at: '2026-11-21T09:30:00.005Z',
        limit_hours: 3,
        basis: 'rhythm',
        since: '2026-11-21T12:30:00.005Z',
      },
    ]);
  });
});

describe('changesOfRequest', () => {
  it('names only what is sent', () => {
    expect(changesOfRequest({})).to.deep.equal({});
    expect(changesOfRequest({ facts: {}, policy: {} })).to.deep.equal({ facts: {}, policy: {} });
    expect(changesOfRequest({ facts: { scope: { done: 1, total: 2 } } })).to.deep.equal({
      facts: { scope: { done: 1, total: 2 } },
    });
  });

  it('takes null for a statement, and reads moments', () => {
    expect(changesOfRequest({ facts: { verification: null }, policy: { environments: null } })).to.deep.equal({
      facts: { verification: null },
      policy: { environments: null },
    });
    expect(
      changesOfRequest({ facts: { verification: { passed: 1, total: 2, ran_at: '1970-01-01T00:00:01.000Z' } } }),
    ).to.deep.equal({ facts: { verification: { passed: 1, total: 2, ranAt: 1000 } } });
  });

  it('hands on every fact and every demand that is called the same', () => {
    const each = { scope: 1, quality: 2, ops: 3, verification: 4, stability: 5 };
    const same = {
      facts: {
        quality: { resolved: 1, total: 2, open: { critical: 1, major: 0, minor: 0, unspecified: 0 } },
        ops: { done: 1, total: 2, openItems: ['Docs'] },
      },
      policy: { weights: each, threshold: 80, minimums: each, environments: ['eu'], verification: 'latest_per_suite' },
    } as const;
    expect(changesOfRequest(same)).to.deep.equal(same);
    expect(changesOfRequest({ facts: { verification: { passed: 1, total: 2 } } })).to.deep.equal({
      facts: { verification: { passed: 1, total: 2 } },
    });
  });

  it('removes all own axes by null, and reads their demands and assumed reports', () => {
    const removed = changesOfRequest({ policy: { own_axes: null } });
    expect(removed).to.deep.equal({ policy: { ownAxes: [] } });
    const unit = { one: 'finding', many: 'findings' };
    const measuredAt = '1970-01-01T00:00:01.000Z';
    expect(
      changesOfRequest({
        facts: {
          own_axes: [
            { axis: 'security', part: 1, whole: 2, measured_at: measuredAt },
            { axis: 'speed', part: 0, whole: null },
          ],
        },
        policy: {
          own_axes: [
            { name: 'security', title: 'Security', unit, weight: 1, minimum: 2, required: true, fresh_for_hours: 3 },
            { name: 'speed', counted_from: 'checklist_evidence' },
          ],
        },
      }),
    ).to.deep.equal({
      facts: { ownAxes: { security: { part: 1, whole: 2, measuredAt: 1000 }, speed: { part: 0, whole: null } } },
      policy: {
        ownAxes: [
          { name: 'security', title: 'Security', unit, weight: 1, minimum: 2, required: true, freshForHours: 3 },
          { name: 'speed', countedFrom: 'checklist_evidence' },
        ],
      },
    });
  });

  it('names every demand as the engine does', () => {
    expect(
      changesOfRequest({
        facts: { stability: { succeeded: 1, failed: 2, in_progress: 3 } },
        policy: {
          required_axes: ['ops'],
          freshness_hours: 1,
          max_open_critical_bugs: 2,
          min_finished_deployments: 3,
          stability_bound: 'upper_bound',
          silence_hours: 4,
        },
      }),
    ).to.deep.equal({
      facts: { stability: { succeeded: 1, failed: 2, inProgress: 3 } },
      policy: {
        requiredAxes: ['ops'],
        freshnessHours: 1,
        maxOpenCriticalBugs: 2,
        minFinishedDeployments: 3,
        stabilityBound: 'upper_bound',
        silenceHours: 4,
      },
    });
  });
});
