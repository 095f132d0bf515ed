import type { Deployment, NotCounted, TestRun } from '@shipworthy/client';
import { expect } from 'chai';
import { whyNot } from '../../../src/screens/deployments/not-counted-words.js';

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
    ]);
  });
});
