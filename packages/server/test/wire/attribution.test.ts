import { DeploymentAttribution, TestRunAttribution } from '@shipworthy/client/contract';
import type { Attribution } from '@shipworthy/domain';
import { expect } from 'chai';
import { wireAttribution } from '../../src/wire/attribution.js';
import { expectToFit } from '../harness/contract-check.js';

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const OTHER = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7f';
const NOWHERE: Attribution = {
  project: { id: ID, name: 'checkout' },
  releases: [],
  axis: 'stability',
  reason: 'no_release_window',
};

describe('wireAttribution', () => {
  it('says why a record counts for nothing', () => {
    const wire = wireAttribution('stability', NOWHERE);
    expect(wire).to.deep.equal(NOWHERE);
    expectToFit(DeploymentAttribution, wire, 'The receipt');
  });

  it('says for each release whether it counts, why not, and what it does to the score', () => {
    const line = { id: OTHER, name: '2.4', contribution: null };
    const releases = [
      { ...line, counts: true, reason: null, contribution: { scoreWith: 80, scoreWithout: null } },
      { ...line, counts: false, reason: 'superseded_by_newer_run' as const },
    ];
    const wire = wireAttribution('verification', { ...NOWHERE, axis: 'verification', releases, reason: null });
    expect(wire).to.deep.equal({
      project: { id: ID, name: 'checkout' },
      releases: [
        { id: OTHER, name: '2.4', counts: true, contribution: { score_with: 80, score_without: null } },
        { id: OTHER, name: '2.4', counts: false, reason: 'superseded_by_newer_run' },
      ],
      axis: 'verification',
    });
    expectToFit(TestRunAttribution, wire, 'The receipt');
  });
});
