import type { HostAccess } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { accessWith, approved, granted, OWNER, PATIENCE_MS, refusal } from './granted.js';
import type { HostFault, OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';
import { readings } from './readings.js';

/** For calls that nothing is answered to. */
const DEADLINE_MS = 700;

const CAUSES: readonly (readonly [fault: HostFault, cause: string])[] = [
  ['server-error', 'server_error'],
  ['forbidden', 'forbidden'],
  ['page', 'not_json'],
  ['page-unauthorized', 'not_json'],
  ['page-bad-gateway', 'server_error'],
  ['cut', 'cut'],
  ['elsewhere', 'redirected'],
  ['unreachable', 'unreachable'],
];
const SILENCES: readonly HostFault[] = ['slow', 'silent'];

/** A host that fails says nothing about a grant: in each case the call ends in time and says what happened. */
export const failuresContract = (open: OpenHost): void => {
  describe('a failing host', () => {
    const staged = onStage(open);
    let reads: Awaited<ReturnType<typeof readings>>;
    let access: (ms?: number) => HostAccess;
    before(async () => {
      access = (await granted(staged())).access;
      reads = await readings(staged(), access(), 'acme/shop');
    });

    /** The refusal of a call, which names the host. Without a deadline, a call to a silent host would never end. */
    const named = async (call: Promise<unknown>) => {
      const refused = await refusal(call);
      expect(refused.message).to.include(staged().host.title);
      return refused;
    };

    for (const [fault, cause] of CAUSES) {
      it(`is unavailable with every reading, and no grant refused: ${String(fault)}`, async () => {
        for (const [name, read] of reads) {
          staged().fail(fault);
          const refused = await named(read(access()));
          expect([refused.code, refused.details.cause], name).to.deep.equal(['host-unavailable', cause]);
          staged().recover();
        }
        expect(staged().leaked(), 'the grant was shown elsewhere').to.equal(false);
        expect((await staged().host.reader.account(access())).name).to.equal(staged().accountName);
      });
    }

    for (const fault of SILENCES) {
      it(`is not waited for beyond the deadline: ${String(fault)}`, async () => {
        staged().fail(fault);
        const waiting = [...reads].map(async ([name, read]) => {
          const refused = await named(read(access(DEADLINE_MS)));
          expect([refused.code, refused.details.cause], name).to.deep.equal(['host-unavailable', 'timeout']);
        });
        await Promise.all(waiting);
      });
    }

    it('is not asked at all when the deadline has passed', async () => {
      const asked = staged().requests().length;
      const refused = await named(staged().host.reader.account(access(-1)));
      expect([refused.code, refused.details.cause]).to.deep.equal(['host-unavailable', 'timeout']);
      expect(staged().requests()).to.have.length(asked);
    });

    it('says until when it is not to be asked', async () => {
      const until = Math.ceil(staged().clock() / 1000) * 1000 + 90_000;
      for (const [name, read] of reads) {
        staged().fail({ limitedUntil: until });
        const asked = staged().requests().length;
        const refused = await named(read(access()));
        expect([refused.code, refused.details.cause], name).to.deep.equal(['host-unavailable', 'rate_limited']);
        // Hosts count in seconds.
        expect(refused.details.retryAt, name).to.be.within(until - 1000, until + 1500);
        expect(staged().requests(), `${name} asks a host again that asked to wait`).to.have.length(asked + 1);
        staged().recover();
      }
    });

    it('is asked a second time after one failure', async () => {
      for (const fault of ['server-error', 'unreachable', 'cut'] as const) {
        staged().fail(fault, 1);
        expect((await staged().host.reader.account(access())).name).to.equal(staged().accountName);
      }
    });

    it('fails approvals and their end without a word against them', async () => {
      const { authorization } = staged().host;
      for (const fault of ['server-error', 'page', 'page-unauthorized', 'cut', 'elsewhere', 'silent'] as const) {
        const { grant } = await granted(staged());
        const approval = await approved(staged());
        staged().fail(fault);
        const ms = fault === 'silent' ? DEADLINE_MS : PATIENCE_MS;
        const deadline = staged().clock() + ms;
        const request = { ...approval, ownerId: OWNER, redirectUrl: staged().redirectUrl, deadline };
        expect(await named(authorization.redeem(request)), fault).to.include({ code: 'host-unavailable' });
        const revoked = authorization.revoke(accessWith(staged(), grant, ms));
        expect(await named(revoked), fault).to.include({ code: 'host-unavailable' });
        staged().recover();
        await authorization.revoke(accessWith(staged(), grant));
      }
      expect(staged().leaked()).to.equal(false);
    });

    it('refuses every reading only when it refuses the grant', async () => {
      const revoked = await granted(staged());
      staged().revokeGrants();
      for (const [name, read] of reads) {
        expect(await refusal(read(revoked.access())), name).to.include({ code: 'host-rejected' });
      }
    });
  });
};
