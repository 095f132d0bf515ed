import type { AuditEntry, Stores } from '@shipworthy/domain';
import { expect } from 'chai';
import { walk } from './expectations.js';
import type { Opened } from './open-stores.js';
import { sampleAuditEntry } from './sample-access.js';
import { AWKWARD, DAY, NOON } from './sample-records.js';
import { storedTeam } from './sample-world.js';

const appended = async (stores: Stores, entry: AuditEntry): Promise<AuditEntry> => {
  await stores.audit.append(entry);
  return entry;
};

/** AuditStore. */
export const auditContract = (opened: Opened): void => {
  describe('the audit log', () => {
    it('keeps entries to the letter', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const detail = { from: AWKWARD, to: null, list: [1, 2.5, 'three', { deep: true }], [AWKWARD]: 2 ** 31 - 1 };
      const actor = { userId: owner.id, name: AWKWARD, kind: 'api_key' } as const;
      const entry = await appended(stores, sampleAuditEntry(team.id, owner.id, { detail, actor, address: '::1' }));
      const listed = await again.audit.page(team.id, { limit: 5, after: null });
      expect(listed).to.deep.equal({ rows: [entry], next: null });
    });

    it('keeps what the service did by itself', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const actor = { userId: null, name: 'Shipworthy', kind: 'service' } as const;
      const entry = await appended(stores, sampleAuditEntry(team.id, owner.id, { actor, address: '', requestId: '' }));
      const { rows } = await again.audit.page(team.id, { limit: 5, after: null });
      expect(rows).to.deep.equal([entry]);
    });

    it('is read newest first, one team at a time, undisturbed by newer entries', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const { team: other } = await storedTeam(stores);
      const append = (teamId: string | null, at: number) =>
        appended(stores, sampleAuditEntry(teamId, owner.id, { at: NOON + at }));
      const expected: AuditEntry[] = [];
      for (const at of [0, 3, 3, 7, 8]) expected.unshift(await append(team.id, at));
      await append(other.id, 5);
      await append(null, 5);
      for (const limit of [1, 2, 5, 200]) {
        const addNewer = async () => void (await append(team.id, DAY));
        const listed = await walk((page) => again.audit.page(team.id, page), limit, addNewer);
        expect(listed.filter(({ at }) => at < NOON + DAY)).to.deep.equal(expected);
      }
    });
  });
};
