import { expect } from 'chai';
import { afterImport } from '../../src/readiness/facts.js';
import {
  AXES,
  assessRelease,
  factFaults,
  factsAfter,
  type Policy,
  type ReleaseFacts,
} from '../../src/readiness/index.js';
import {
  checklist,
  EMPTY,
  everyAxis,
  ISSUES_AS_OF,
  issues,
  lenient,
  NOW,
  policy,
  ready,
  waiver,
} from './sample-release.js';

const pending = (changes: Partial<ReleaseFacts> = {}): ReleaseFacts => ready({ ...changes, issuesPending: true });
const judged = (facts: ReleaseFacts, rules: Policy = policy({})) => assessRelease(facts, rules, NOW);
const shown = (facts: ReleaseFacts, rules: Policy = policy({})): readonly string[] =>
  judged(facts, rules).gate.nextSteps.map(({ axis, action, count, gain }) => `${axis} ${action} ${count} ${gain}`);

describe('a release whose issues are being imported', () => {
  it('has neither scope nor quality with any issues read so far, and may not ship yet', () => {
    for (const known of [issues(0, 0), issues(12, 12), issues(3, 12, { resolved: 1, minor: 4 })]) {
      const { axes, gate, score, coverage } = judged(pending(known));
      for (const reading of axes.slice(0, 2)) {
        expect(reading).to.include({ state: 'unmeasured', cause: 'issues_being_imported' });
        expect(reading).not.to.have.property('score');
      }
      expect(axes.slice(2).map(({ state }) => state)).to.deep.equal(['measured', 'measured', 'measured']);
      expect([gate.decision, score, coverage]).to.deep.equal(['unknown', 100, 0.6]);
      expect(gate.reasons.map(({ message }) => message)).to.deep.equal([
        'Scope is not measured: its issues are being imported',
        'Quality is not measured: its issues are being imported',
      ]);
    }
  });

  it('says so in a sentence, and as of when while the host cannot be read', () => {
    const sentences = (facts: ReleaseFacts) =>
      judged(facts)
        .axes.slice(0, 2)
        .map(({ explanation }) => explanation);
    expect(sentences(pending())).to.deep.equal([
      'The issues of the release are being imported: how many of them are done is known once all are read',
      'The issues of the release are being imported: how many of its bugs are resolved is known once all are read',
    ]);
    const stale = 'Not all issues of the release are imported yet, as of 14:03 UTC on 2024-04-30';
    expect(sentences(pending({ issuesAsOf: ISSUES_AS_OF }))).to.deep.equal([stale, stale]);
  });

  it('is measured as usual after the import', () => {
    expect(judged(ready({ issuesPending: false }))).to.deep.equal(judged(ready({})));
  });

  it('holds because of the measured axes and the known critical bugs', () => {
    expect(judged(pending({ ops: checklist(2, 3) })).gate.decision).to.equal('hold');
    const { gate } = judged(pending(issues(8, 12, { resolved: 3, critical: 2 })));
    expect(gate.decision).to.equal('hold');
    expect(gate.reasons.map(({ code }) => code)).to.include('open_critical_bugs');
  });

  it('needs the import to be awaited, once for both axes', () => {
    const [step, ...others] = judged(pending()).gate.nextSteps;
    expect(others).to.deep.equal([]);
    expect(step).to.deep.equal({
      axis: 'scope',
      action: 'await_import',
      count: null,
      gain: null,
      message: 'Wait until the issues of the release are imported, which ends by itself: there is nothing to do for it',
    });
    expect(shown(pending(), policy({ requiredAxes: ['quality'] }))).to.deep.equal(['quality await_import null null']);
    expect(shown(pending(), lenient({ weights: { ...everyAxis(0), quality: 1 } }))).to.deep.equal([
      'quality await_import null null',
    ]);
  });

  it('has no step for what is not demanded', () => {
    const rules = policy({ requiredAxes: ['ops'] });
    expect(shown(pending(), rules)).to.deep.equal([]);
    expect(judged(pending(), rules).gate.decision).to.equal('go');
    const signed = (['scope', 'quality'] as const).map((axis) =>
      waiver({ id: axis, code: 'axis_unmeasured', axis, actual: null }),
    );
    const { gate } = assessRelease(pending({ ops: checklist(2, 3) }), policy({}), NOW, signed);
    expect(gate.nextSteps.map(({ action }) => action)).to.deep.equal(['tick_checklist_items']);
  });

  it('has the known steps beside it, without guessing what they add to unmeasured axes', () => {
    const facts = pending({ ...issues(2, 12, { critical: 1, minor: 9 }), ops: checklist(2, 3) });
    expect(shown(facts)).to.deep.equal([
      'scope await_import null null',
      'quality resolve_critical_bugs 1 null',
      'ops tick_checklist_items 1 11.11',
    ]);
    expect(shown(facts, policy({ requiredAxes: [] }))).to.deep.equal([
      'quality resolve_critical_bugs 1 null',
      'ops tick_checklist_items 1 11.11',
    ]);
  });
});

describe('the facts after an import', () => {
  it('have every issue done but critical bugs that are open', () => {
    const known = pending({ ...issues(2, 12, { resolved: 1, critical: 2, major: 1, unspecified: 3 }) });
    const after = afterImport(known);
    expect(after).to.deep.equal({ ...known, ...issues(10, 12, { resolved: 5, critical: 2 }), issuesPending: false });
    expect(factFaults(after)).to.deep.equal([]);
    expect(afterImport({ ...EMPTY, issuesPending: true })).to.deep.include(issues(1, 1));
  });

  it('are those after its step, beside the other steps, and stay pending without it', () => {
    const known = pending(issues(2, 12, { critical: 2, minor: 4 }));
    const { nextSteps } = judged(known).gate;
    const after = factsAfter(known, nextSteps, NOW);
    expect(after).to.deep.include({ ...issues(12, 12, { resolved: 6 }), issuesPending: false });
    expect(AXES.map((_, index) => judged(after).axes[index]?.state)).not.to.include('unmeasured');
    expect(judged(after).gate.decision).to.equal('go');
    const without = nextSteps.filter(({ action }) => action !== 'await_import');
    expect(factsAfter(known, without, NOW)).to.deep.include({
      ...issues(4, 12, { resolved: 2, minor: 4 }),
      issuesPending: true,
    });
  });
});
