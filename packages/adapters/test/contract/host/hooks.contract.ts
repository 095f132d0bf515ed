import { DomainError } from '@shipworthy/domain';
import type { HookDelivery, RepositoryIdentity } from '@shipworthy/domain/ports';
import { IMPORT_PARTS } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted } from './granted.js';
import type { HookSubject, OpenHost } from './host-stage.js';
import type { Handle } from './host-world.js';
import { onStage } from './on-stage.js';
import { only, whole } from './whole-reading.js';

const AT = Date.UTC(2026, 6, 7);
const PROJECT = '0190c3a5-7b1e-7c44-8d5f-2a6b9e0f1c37';

type Sent = Omit<HookDelivery, 'projectId'>;

/** Webhooks say that something changed, and are believed only with the secret of their repository and project. */
export const hooksContract = (open: OpenHost): void => {
  describe('webhooks', () => {
    const staged = onStage(open);
    let repository: RepositoryIdentity;
    let issue: Handle;
    before(() => {
      const { world, host } = staged();
      repository = world.repository({ path: 'acme/hooked' });
      world.milestone(repository, { title: '1.0' });
      issue = world.issue(repository, { title: 'a', at: AT });
      if (host.gives.deployments) {
        world.deployment(repository, { environment: 'production', commitSha: 'a'.repeat(40), ref: 'main', at: AT });
      }
      const checks = [{ name: 'unit', outcome: 'passed', finishedAt: AT }] as const;
      for (const source of host.gives.testRuns) {
        world.testRun(repository, source, { suite: 'CI', commitSha: 'a'.repeat(40), checks });
      }
    });
    const read = (sent: Sent, projectId: string | null = PROJECT) => staged().host.hooks.read({ ...sent, projectId });
    const secret = () => staged().host.hooks.secretOf(repository.id, PROJECT);
    const refused = (...given: Parameters<typeof read>): string => {
      try {
        read(...given);
      } catch (error) {
        if (error instanceof DomainError) return error.code;
        throw error;
      }
      return 'nothing';
    };

    it('have a secret of their own for each project of each repository, always the same', () => {
      const { secretOf, events } = staged().host.hooks;
      expect(secretOf('1', 'p')).to.equal(secretOf('1', 'p'));
      const secrets = [
        secretOf('1', 'p'),
        secretOf('2', 'p'),
        secretOf('1', 'q'),
        secretOf('1', ''),
        secretOf('', 'p'),
      ];
      expect(new Set(secrets).size).to.equal(secrets.length);
      expect(secretOf('1', 'p').length).to.be.at.least(32);
      expect(events.length).to.be.greaterThan(0);
    });

    it('name the repository and what may have changed there', () => {
      const subjects: readonly (readonly [HookSubject, string])[] = [
        [{ about: 'issue', repository, issue }, 'issues'],
        [{ about: 'milestone', repository }, 'milestones'],
        ...(staged().host.gives.deployments ? ([[{ about: 'deployment', repository }, 'deployments']] as const) : []),
        ...(staged().host.gives.testRuns.length > 0
          ? ([[{ about: 'test_run', repository }, 'test_runs']] as const)
          : []),
      ];
      for (const [subject, part] of subjects) {
        const notice = read(staged().delivery(subject, { secret: secret() }));
        expect(notice.repositoryId, part).to.equal(repository.id);
        expect(notice.parts, part).to.include(part);
        expect(notice.parts.every((each) => IMPORT_PARTS.includes(each))).to.equal(true);
        expect(notice.suspectIssueIds, part).to.deep.equal([]);
      }
      expect(read(staged().delivery({ about: 'nothing', repository }, { secret: secret() })).parts).to.deep.equal([]);
    });

    it('name issues that may not be there any more, where they can go without a trace', async () => {
      const { access } = await granted(staged());
      const { rows } = await whole((request) => staged().host.reader.issues(access(), repository, request));
      const notice = read(staged().delivery({ about: 'issue_gone', repository, issue }, { secret: secret() }));
      const { id } = only(rows, () => true);
      expect(notice.parts).to.include('issues');
      const suspects = notice.suspectIssueIds;
      if (staged().gives.issuesGone || suspects.length > 0) expect(suspects).to.deep.equal([id]);
    });

    it('have the same id when they are delivered again, and another one otherwise', () => {
      const id = 'b1e3a9d0-0000-4000-8000-000000000001';
      const deliver = (deliveryId?: string) =>
        read(
          staged().delivery(
            { about: 'issue', repository, issue },
            deliveryId === undefined ? { secret: secret() } : { secret: secret(), deliveryId },
          ),
        ).deliveryId;
      expect(deliver(id)).to.equal(deliver(id));
      expect(deliver()).to.not.equal(deliver());
      expect(deliver()).to.not.equal(deliver(id));
    });

    it('are not believed without the secret of their repository and project', () => {
      const subject = { about: 'issue', repository, issue } as const;
      const { secretOf } = staged().host.hooks;
      for (const wrong of ['guessed', '', secretOf('another', PROJECT), secretOf(repository.id, 'another')]) {
        expect(refused(staged().delivery(subject, { secret: wrong })), wrong).to.equal('wrong-signature');
      }
      const { body, headers } = staged().delivery(subject, { secret: secret() });
      for (const projectId of ['another', '', null])
        expect(refused({ body, headers }, projectId), String(projectId)).to.equal('wrong-signature');
      const other = staged().world.repository({ path: 'acme/other' });
      const changed = Buffer.from(body).toString('utf8').replaceAll(repository.id, other.id);
      expect(refused({ headers, body: Buffer.from(changed) })).to.equal('wrong-signature');
    });

    it('are refused when they are no webhooks of the host', () => {
      const { body, headers } = staged().delivery({ about: 'issue', repository, issue }, { secret: secret() });
      expect(refused({ headers: {}, body })).to.be.oneOf(['invalid', 'wrong-signature']);
      for (const text of ['', 'null', '[]', '{"repository":7}', '{"project":7}', '{', 'payload=%7B%7D']) {
        expect(refused({ headers, body: Buffer.from(text) }), text).to.be.oneOf(['invalid', 'wrong-signature']);
      }
    });
  });
};
