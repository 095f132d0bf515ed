import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { REPLICA_READS } from '../../src/composition/replica-reads.js';

describe('the operations a replica may answer', () => {
  it('are there, and change nothing', () => {
    for (const id of REPLICA_READS) {
      expect(operations, id).to.have.property(id);
      const { method, auth } = operations[id as keyof typeof operations];
      if (id !== 'previewPolicy') expect(method, id).to.equal('GET');
      if (auth.kind === 'key') expect(auth.scope, id).to.equal('read');
    }
  });

  it('are none that a pipeline is let through by', () => {
    for (const id of ['readGate', 'readReadiness', 'readActiveReadiness', 'askWhatIf', 'readBadge', 'checkReady'])
      expect(REPLICA_READS.has(id), id).to.equal(false);
  });
});
