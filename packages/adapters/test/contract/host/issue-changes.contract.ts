import type { HostAccess, HostIssue, RepositoryIdentity } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted } from './granted.js';
import type { OpenHost } from './host-stage.js';
import type { Handle } from './host-world.js';
import { onStage } from './on-stage.js';
import { only, whole } from './whole-reading.js';

const AT = Date.UTC(2026, 1, 2, 9);
const MINUTE = 60_000;

/** What happens to issues, and what is remembered of it. */
export const issueChangesContract = (open: OpenHost): void => {
  describe('an issue', () => {
    const staged = onStage(open);
    let access: () => HostAccess;
    let repository: RepositoryIdentity;
    let one: Handle;
    let two: Handle;
    let made = 0;
    before(async () => {
      access = (await granted(staged())).access;
      repository = staged().world.repository({ path: 'acme/changing' });
      one = staged().world.milestone(repository, { title: '1.0' });
      two = staged().world.milestone(repository, { title: '2.0' });
    });

    const make = (milestone?: Handle): { readonly handle: Handle; read(): Promise<HostIssue> } => {
      made += 1;
      const title = `issue ${made}`;
      const seed = { title, at: AT, ...(milestone === undefined ? {} : { milestone }) };
      const handle = staged().world.issue(repository, seed);
      const read = async () => {
        const { rows } = await whole((request) => staged().host.reader.issues(access(), repository, request));
        return only(rows, (row) => row.title === title);
      };
      return { handle, read };
    };
    const milestoneId = async (title: string): Promise<string> => {
      const { rows } = await whole((request) => staged().host.reader.milestones(access(), repository, request));
      return only(rows, (row) => row.title === title).id;
    };

    it('is closed as completed, or as not planned', async () => {
      const [done, dropped] = [make(), make()];
      staged().world.close(done.handle, 'completed', AT + MINUTE);
      staged().world.close(dropped.handle, 'not_planned', AT + 2 * MINUTE);
      expect(await done.read()).to.include({ state: 'closed', closedAs: 'completed', closedAt: AT + MINUTE });
      const issue = await dropped.read();
      expect(issue).to.include({ state: 'closed', closedAs: 'not_planned', closedAt: AT + 2 * MINUTE });
      expect(issue.updatedAt).to.equal(AT + 2 * MINUTE);
    });

    it('is open again when it is reopened', async () => {
      const { handle, read } = make();
      staged().world.close(handle, 'not_planned', AT + MINUTE);
      staged().world.reopen(handle, AT + 2 * MINUTE);
      expect(await read()).to.include({ state: 'open', closedAs: null, closedAt: null, updatedAt: AT + 2 * MINUTE });
    });

    it('moves from milestone to milestone, and out of them', async () => {
      const { handle, read } = make(one);
      expect((await read()).milestoneId).to.equal(await milestoneId('1.0'));
      staged().world.move(handle, two, AT + MINUTE);
      expect((await read()).milestoneId).to.equal(await milestoneId('2.0'));
      staged().world.move(handle, null, AT + 2 * MINUTE);
      expect((await read()).milestoneId).to.equal(null);
    });

    it('has the labels it has now', async () => {
      const { handle, read } = make();
      staged().world.label(handle, ['bug', 'pay'], AT + MINUTE);
      staged().world.label(handle, ['bug', 'ci'], AT + 2 * MINUTE);
      expect([...(await read()).labels].sort()).to.deep.equal(['bug', 'ci']);
    });

    it('keeps its id through all changes', async () => {
      const { handle, read } = make();
      const { id } = await read();
      staged().world.close(handle, 'completed', AT + MINUTE);
      staged().world.move(handle, one, AT + 2 * MINUTE);
      expect((await read()).id).to.equal(id);
    });

    it('comes with its history, oldest first, or with none where the host tells none', async () => {
      const { handle, read } = make(one);
      const { world, gives } = staged();
      world.move(handle, two, AT + MINUTE);
      world.close(handle, 'not_planned', AT + 2 * MINUTE);
      world.reopen(handle, AT + 3 * MINUTE);
      world.close(handle, 'completed', AT + 4 * MINUTE);
      const { history } = await read();
      if (!gives.history) {
        expect(history).to.equal(null);
        return;
      }
      expect(history).to.deep.equal([
        { at: AT, kind: 'milestoned', milestone: '1.0' },
        { at: AT + MINUTE, kind: 'demilestoned', milestone: '1.0' },
        { at: AT + MINUTE, kind: 'milestoned', milestone: '2.0' },
        { at: AT + 2 * MINUTE, kind: 'closed', as: 'not_planned' },
        { at: AT + 3 * MINUTE, kind: 'reopened' },
        { at: AT + 4 * MINUTE, kind: 'closed', as: 'completed' },
      ]);
    });

    it('comes with a history of any length, where the host tells it', async () => {
      const { handle, read } = make();
      for (let i = 0; i < 130; i += 1) {
        staged().world.move(handle, i % 2 === 0 ? one : two, AT + i * MINUTE);
      }
      const { history } = await read();
      expect(history !== null).to.equal(staged().gives.history);
      if (history === null) return;
      expect(history).to.have.length(259);
      expect(history.map(({ at }) => at)).to.deep.equal(history.map(({ at }) => at).sort((a, b) => a - b));
      expect(history.at(-1)).to.deep.equal({ at: AT + 129 * MINUTE, kind: 'milestoned', milestone: '2.0' });
    });
  });
};
