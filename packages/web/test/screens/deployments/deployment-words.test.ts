import type { Deployment, NotCounted, TestRun } from '@shipworthy/client';
import { expect } from 'chai';
import { countByEnvironment, inProgressText, whyNot } from '../../../src/screens/deployments/deployment-words.js';

describe('the environments of deployments', () => {
  it('are counted, the busiest first, then by name', () => {
    const deployments = ['staging', 'production', 'staging', 'eu', 'production', 'staging', 'De'];
    expect(countByEnvironment(deployments.map((environment) => ({ environment })))).to.deep.equal([
      { environment: 'staging', count: 3 },
      { environment: 'production', count: 2 },
      { environment: 'De', count: 1 },
      { environment: 'eu', count: 1 },
    ]);
  });
});

const HOUR = 3_600_000;

describe('a deployment in progress', () => {
  it('says for how long', () => {
    expect(inProgressText(0, 5 * 60_000)).to.equal('for 5 minutes');
    expect(inProgressText(0, HOUR - 1)).to.equal('for 59 minutes');
  });

  it('is doubted after an hour', () => {
    expect(inProgressText(0, HOUR)).to.equal('for 1 hour: did the pipeline end without a report?');
    expect(inProgressText(0, 3 * HOUR)).to.equal('for 3 hours: did the pipeline end without a report?');
  });

  it('that starts ahead of this clock has just begun', () => {
    expect(inProgressText(HOUR, 0)).to.equal('for 0 seconds');
  });
});

// The words depend on the kind of record and the reason alone.
const deployment = {} as Deployment;
const test_run = {} as TestRun;

describe('why a record counts for nothing, in words', () => {
  const rows: readonly NotCounted[] = [
    { deployment, reason: 'no_release_window' },
    { deployment, reason: 'environment_not_counted' },
    { deployment, reason: 'still_in_progress' },
    { deployment, reason: 'rollback_pending_outcome' },
    { test_run, reason: 'no_release_window' },
    { test_run, reason: 'superseded_by_newer_run' },
    { test_run, reason: 'set_aside' },
    { test_run, reason: 'other_suite_set_aside' },
  ];

  it('is one sentence for each reason, and another one says what to do', () => {
    const sentences = rows.flatMap((row) => [whyNot(row).why, whyNot(row).todo]);
    expect(new Set(sentences).size).to.equal(sentences.length);
    for (const sentence of sentences) expect(sentence).to.match(/^[A-Z][^.]*\.$/);
  });

  it('leads to the place where something can be done', () => {
    expect(rows.map((row) => whyNot(row).where?.[1])).to.deep.equal([
      '',
      '/settings/policy',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
