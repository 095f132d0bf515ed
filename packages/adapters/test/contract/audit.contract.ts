import type { AuditEntry, Stores } from '@shipworthy/domain';
import type { AuditFilter } from '@shipworthy/domain/ports';
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
      const listed = await again.audit.page({ teamId: team.id }, { limit: 5, after: null });
      expect(listed).to.deep.equal({ rows: [entry], next: null });
    });

    it('keeps what the service did by itself', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const actor = { userId: null, name: 'Shipworthy', kind: 'service' } as const;
      const entry = await appended(stores, sampleAuditEntry(team.id, owner.id, { actor, address: '', requestId: '' }));
      const { rows } = await again.audit.page({ teamId: team.id }, { limit: 5, after: null });
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
        const listed = await walk((page) => again.audit.page({ teamId: team.id }, page), limit, addNewer);
        expect(listed.filter(({ at }) => at < NOON + DAY)).to.deep.equal(expected);
      }
    });

    it('is found by person, action, noun and time, in both orders, page by page', async () => {
      const { stores, again } = opened();
      const { owner, team } = await storedTeam(stores);
      const { owner: stranger } = await storedTeam(stores);
      const append = (at: number, action: string, userId: string | null = owner.id) => {
        const actor = { userId, name: 'Ada', kind: 'session' } as const;
        return appended(stores, sampleAuditEntry(team.id, owner.id, { at: NOON + at, action, actor }));
      };
      const entries: AuditEntry[] = [];
      for (const [at, action, userId] of [
        [0, 'release.ship', owner.id],
        [1, 'release.park', stranger.id],
        [2, 'releases.ship', owner.id],
        [2, 'release', owner.id],
        [3, 'release.ship', null],
        [4, 'test_run.restore', owner.id],
        [5, 'testXrun.restore', owner.id],
      ] as const)
        entries.push(await append(at, action, userId));
      const at = (from: number, to: number | null) => ({ from: NOON + from, to: to === null ? null : NOON + to });
      const cases: readonly (readonly [Omit<AuditFilter, 'teamId'>, readonly number[]])[] = [
        [{}, [0, 1, 2, 3, 4, 5, 6]],
        [{ userId: stranger.id }, [1]],
        [{ userId: owner.id, action: 'release' }, [0, 3]],
        [{ action: 'release' }, [0, 1, 3, 4]],
        [{ action: 'release.ship' }, [0, 4]],
        [{ action: 'test_run' }, [5]],
        [{ action: AWKWARD }, []],
        [{ at: at(1, 3) }, [1, 2, 3]],
        [{ at: at(3, null) }, [4, 5, 6]],
        [{ at: at(0, 5), action: 'release', userId: owner.id }, [0, 3]],
        [{ at: at(3, 3) }, []],
      ];
      for (const [filter, places] of cases)
        for (const order of ['oldest-first', 'newest-first'] as const)
          for (const limit of [1, 2, 200]) {
            const listed = await walk((page) => again.audit.page({ teamId: team.id, ...filter }, page, order), limit);
            const expected = places.map((place) => entries[place]);
            const inOrder = order === 'oldest-first' ? expected : expected.toReversed();
            expect(listed, JSON.stringify([filter, order, limit])).to.deep.equal(inOrder);
          }
    });
  });
};
