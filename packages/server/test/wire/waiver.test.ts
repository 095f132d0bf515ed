import { Waiver as WaiverSchema } from '@shipworthy/client/contract';
import type { Waiver } from '@shipworthy/domain';
import { expect } from 'chai';
import { wireWaiver } from '../../src/wire/waiver.js';
import { expectToFit } from '../harness/contract-check.js';

const ID = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';
const WAIVER: Waiver = {
  id: ID,
  releaseId: ID,
  code: 'axis_unmeasured',
  axis: 'stability',
  text: 'Later.',
  actual: null,
  createdBy: 'Ada',
  createdAt: 1000,
  expiresAt: 2000,
  withdrawnAt: null,
  withdrawnBy: null,
};

describe('wireWaiver', () => {
  it('shows who accepted what for how long', () => {
    const wire = wireWaiver(WAIVER);
    expectToFit(WaiverSchema, wire, 'The waiver');
    expect(wire).to.deep.equal({
      id: ID,
      code: 'axis_unmeasured',
      axis: 'stability',
      text: 'Later.',
      actual: null,
      created_by: 'Ada',
      created_at: '1970-01-01T00:00:01.000Z',
      expires_at: '1970-01-01T00:00:02.000Z',
      withdrawn_at: null,
      withdrawn_by: null,
    });
  });

  it('has no axis where its reason has none, and says who withdrew it', () => {
    const reason = { code: 'open_critical_bugs', axis: null, actual: 1 } as const;
    const wire = wireWaiver({ ...WAIVER, ...reason, withdrawnAt: 1500, withdrawnBy: 'Bob' });
    expectToFit(WaiverSchema, wire, 'The waiver');
    expect(wire).to.include({ actual: 1, withdrawn_at: '1970-01-01T00:00:01.500Z', withdrawn_by: 'Bob' });
    expect(wire).not.to.have.property('axis');
  });
});
