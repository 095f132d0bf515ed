import { expect } from 'chai';
import { attributedTo } from '../../src/attribution/attribution.js';
import { issueCounting, itemCounting, receiptCounting, testRunCounting } from '../../src/attribution/axis-row.js';
import { CHECKLIST_STATES } from '../../src/checklist/checklist-item.js';
import { ISSUE_STATES } from '../../src/issue/issue.js';
import { staleFrom } from '../../src/readiness/axes/verification.js';
import { testRunFrom } from '../../src/report/test-run-report.js';
import { testRunReport } from '../report/report-of.js';

const line = { id: 'r1', name: '1.0' };
const receipt = (reason: 'superseded_by_newer_run' | null) => ({
  project: { id: 'p1', name: 'Shop' },
  releases: [attributedTo(line, reason)],
  axis: 'verification' as const,
  reason: null,
});
const counted = { counts: true, reason: null };
const recording = { id: 'x1', projectId: 'p1', releaseId: 'r1', recordedBy: 'CI', now: 1_000 };
const testRun = testRunFrom(testRunReport(), recording);

describe('A row under an axis', () => {
  it('of issues counts unless canceled', () => {
    for (const state of ISSUE_STATES)
      expect(issueCounting({ state })).to.deep.equal(
        state === 'canceled' ? { counts: false, reason: 'canceled' } : counted,
      );
  });
  it('of checklist items counts unless not applicable, and as open until an owner has confirmed that', () => {
    const mark = { reason: 'Texts only', markedBy: 'Ben', markedAt: 1, confirmedBy: 'Ada', confirmedAt: 2 };
    for (const state of CHECKLIST_STATES) {
      const item = { state, mark: state === 'not_applicable' ? mark : null };
      expect(itemCounting(item)).to.deep.equal(
        state === 'not_applicable' ? { counts: false, reason: 'not_applicable' } : counted,
      );
    }
    for (const awaiting of [null, { ...mark, confirmedBy: null, confirmedAt: null }])
      expect(itemCounting({ state: 'not_applicable', mark: awaiting })).to.deep.equal({
        counts: true,
        reason: 'awaiting_confirmation',
      });
  });
  it('of reports counts as its receipt says about that release', () => {
    expect(receiptCounting(receipt(null), 'r1')).to.deep.equal(counted);
    const superseded = { counts: false, reason: 'superseded_by_newer_run' };
    expect(receiptCounting(receipt('superseded_by_newer_run'), 'r1')).to.deep.equal(superseded);
    expect(receiptCounting(receipt(null), 'r2')).to.deep.equal({ counts: false, reason: 'no_release_window' });
  });
  it('of test runs does not count once it is older than the policy allows', () => {
    const view = { testRun, attribution: receipt(null) };
    const limit = staleFrom(testRun.ranAt, 2);
    expect(testRunCounting(view, { freshnessHours: 2 }, limit - 1)).to.deep.equal(counted);
    expect(testRunCounting(view, { freshnessHours: 2 }, limit)).to.deep.equal({
      counts: false,
      reason: 'stale_test_run',
    });
    expect(testRunCounting(view, { freshnessHours: null }, limit * 9)).to.deep.equal(counted);
  });
  it('of superseded test runs says so before their age', () => {
    const view = { testRun, attribution: receipt('superseded_by_newer_run') };
    expect(testRunCounting(view, { freshnessHours: 1 }, 1e12).reason).to.equal('superseded_by_newer_run');
  });
});
