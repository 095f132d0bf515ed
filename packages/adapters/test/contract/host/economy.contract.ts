import type { HostAccess, HostReadRequest, RepositoryIdentity } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { granted } from './granted.js';
import type { OpenHost } from './host-stage.js';
import { onStage } from './on-stage.js';
import { whole } from './whole-reading.js';

const AT = Date.UTC(2026, 5, 6);
const SECOND = 1000;
const ISSUES = 420;
const DEPLOYMENTS = 310;
/** Requests beside one per hundred rows. */
const CONSTANT = 5;

/** What a whole import costs, and what the next one does when nothing is new. */
export const economyContract = (open: OpenHost): void => {
  describe('reading', () => {
    const staged = onStage(open);
    let access: () => HostAccess;
    let repository: RepositoryIdentity;
    before(async () => {
      const { world } = staged();
      repository = world.repository({ path: 'acme/large' });
      const milestone = world.milestone(repository, { title: '1.0' });
      for (let i = 0; i < ISSUES; i += 1) {
        world.issue(repository, { title: `i${i}`, at: AT + i * SECOND, labels: ['bug'], milestone });
      }
      for (let i = 0; i < DEPLOYMENTS; i += 1) {
        const at = AT + i * SECOND;
        const seed = { environment: 'production', commitSha: 'a'.repeat(40), ref: 'main', at };
        if (staged().host.gives.deployments) world.enterState(world.deployment(repository, seed), 'success', at);
      }
      access = (await granted(staged())).access;
    });

    it('costs one request per hundred rows and few more, and none but conditional ones when nothing is new', async () => {
      const { reader, gives } = staged().host;
      const parts = {
        milestones: (request: HostReadRequest) => reader.milestones(access(), repository, request),
        issues: (request: HostReadRequest) => reader.issues(access(), repository, request),
        ...(gives.deployments
          ? { deployments: (request: HostReadRequest) => reader.deployments(access(), repository, request) }
          : {}),
      };
      const rows = 1 + ISSUES + (gives.deployments ? DEPLOYMENTS : 0);
      const validators = new Map<string, string | null>();
      const begun = staged().requests().length;
      let read = 0;
      for (const [name, part] of Object.entries(parts)) {
        const reading = await whole<unknown>(part);
        validators.set(name, reading.validator);
        read += reading.rows.length;
      }
      expect(read).to.equal(rows);
      expect(staged().requests().length - begun).to.be.at.most(Math.ceil(rows / 100) + CONSTANT);

      const repeated = staged().requests().length;
      const known = Object.entries(staged().gives.validators).filter(([name, gives]) => gives && name in parts);
      for (const [name] of known) {
        const part = parts[name as keyof typeof parts];
        const validator = validators.get(name) ?? null;
        const reading = await part?.({ since: AT + ISSUES * SECOND, page: null, validator });
        expect(reading?.unchanged, name).to.equal(true);
      }
      const second = staged().requests().slice(repeated);
      expect(second).to.have.length(known.length);
      expect(second.every(({ conditional, status }) => conditional && status === 304)).to.equal(true);
    });

    it('tells what the host still allows, where the host says it', async () => {
      const { reader } = staged().host;
      const request = { since: null, page: null, validator: null };
      const { budget } = await reader.milestones(access(), repository, request);
      if (budget === null) return;
      expect(budget.limit).to.be.greaterThan(0);
      expect(budget.remaining).to.be.within(0, budget.limit);
      expect(budget.resetAt).to.be.greaterThan(staged().clock() - 1000);
      const later = await reader.milestones(access(), repository, request);
      expect(later.budget?.remaining).to.be.lessThan(budget.remaining);
    });
  });
};
