import { operations } from '@shipworthy/client/contract';
import { freshImport, type HostConnection, type ImportState, type LinkedRepository } from '@shipworthy/domain';
import { expect } from 'chai';
import { linkSettingsOf, wireMilestone, wireRepositoryLink } from '../../src/wire/repository-link.js';
import { expectToFit } from '../harness/contract-check.js';
import { ACCOUNT, MILESTONE, SHOP } from '../harness/test-host.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const { private: _, archived: __, ...repository } = SHOP;

const linkedWith = (state: Partial<ImportState> = {}): LinkedRepository => ({
  link: {
    id: 'l',
    projectId: 'p',
    host: 'github',
    userId: 'u',
    repository,
    settings: linkSettingsOf({ repository: SHOP.path }),
    linkedAt: NOW - 1000,
    linkedBy: 'Ada',
  },
  state: {
    ...freshImport('l', NOW + 60_000),
    completedAt: NOW,
    counts: { milestones: 1, issues: 2, deployments: 3, testRuns: 4 },
    ...state,
  },
});

const connection: HostConnection = {
  userId: 'u',
  host: 'github',
  account: ACCOUNT,
  grant: { sealed: 's', expiresAt: null },
  state: 'ok',
  pausedUntil: null,
  connectedAt: NOW,
  version: 1,
};
const source = { host: { title: 'GitHub' }, connection, now: NOW };
const importOf = (linked: LinkedRepository, from: Parameters<typeof wireRepositoryLink>[1] = source) =>
  wireRepositoryLink(linked, from).import;

describe('wireRepositoryLink', () => {
  it('is as the contract says, with nothing of the grant', () => {
    const wire = wireRepositoryLink(linkedWith(), source);
    expectToFit(operations.readRepositoryLink.success.body, { data: wire }, 'the link');
    expect(wire.repository).to.deep.equal({ id: 'R_1', path: 'acme/shop', url: SHOP.url, default_branch: 'main' });
    expect(wire.import.counts).to.deep.equal({ milestones: 1, issues: 2, deployments: 3, test_runs: 4 });
    expect(JSON.stringify(wire)).not.to.contain('sealed');
  });

  it('names where the import stands', () => {
    const failure = { code: 'host-unavailable', message: 'Slow.', at: NOW, attempts: 2 } as const;
    const running = { stage: 'issues', page: null, reading: null, marks: {} } as const;
    expect(importOf(linkedWith()).state).to.equal('idle');
    expect(importOf(linkedWith({ dueAt: NOW })).state).to.equal('waiting');
    expect(importOf(linkedWith({ completedAt: null })).state).to.equal('waiting');
    const started = importOf(linkedWith({ startedAt: NOW, checkpoint: running }));
    expect(started).to.include({ state: 'running', stage: 'issues', started_at: '2026-11-20T12:00:00.000Z' });
    const failing = importOf(linkedWith({ startedAt: NOW, failure }));
    expect(failing.state).to.equal('failing');
    expect(failing.failure).to.deep.equal({ ...failure, at: '2026-11-20T12:00:00.000Z' });
    expect(failing.message).to.equal(null);
  });

  it('is read next when it is due and the host allows it', () => {
    const paused = { ...source, connection: { ...connection, pausedUntil: NOW + 90_000 } };
    expect(importOf(linkedWith()).next_at).to.equal('2026-11-20T12:01:00.000Z');
    expect(importOf(linkedWith(), paused).next_at).to.equal('2026-11-20T12:01:30.000Z');
    expect(importOf(linkedWith(), paused)).to.include({ state: 'idle', message: null });
    const over = { ...source, connection: { ...connection, pausedUntil: NOW - 1 } };
    expect(importOf(linkedWith({ dueAt: NOW }), over)).to.include({ state: 'waiting' });
  });

  it('says until when and why it waits although it is due, also within a run', () => {
    const until = (pausedUntil: number) => ({ ...source, connection: { ...connection, pausedUntil } });
    const message = "Waits until 12:01 UTC: little of the host's budget is left.";
    for (const startedAt of [null, NOW - 1])
      expect(importOf(linkedWith({ dueAt: NOW, startedAt }), until(NOW + 90_000))).to.include({
        ...{ state: 'waiting', message, next_at: '2026-11-20T12:01:30.000Z' },
      });
    const failure = { code: 'host-unavailable', message: 'Slow down.', at: NOW, attempts: 1 } as const;
    const asked = importOf(linkedWith({ failure }), until(NOW + 12 * 3_600_000));
    expect(asked).to.include({
      ...{ state: 'failing', message: 'Waits until 00:00 UTC on 2026-11-21: GitHub asked for it.' },
    });
    expect(importOf(linkedWith({ dueAt: NOW }), until(NOW))).to.include({ state: 'waiting', message: null });
  });

  it('says who has to do what while it is stopped, whatever else is the case', () => {
    const linked = linkedWith({ startedAt: NOW });
    const stopped = (from: Partial<typeof source> | { connection: undefined } | { host: null }) => {
      const { state, message } = importOf(linked, { ...source, ...from });
      expect(state).to.equal('stopped');
      return message;
    };
    expect(stopped({ connection: { ...connection, state: 'rejected' } })).to.match(/^GitHub refused .* Ada/);
    expect(stopped({ connection: { ...connection, state: 'revoking' } })).to.match(/^Ada has no connection to GitHub/);
    expect(stopped({ connection: undefined })).to.match(/^Ada has no connection to GitHub/);
    expect(stopped({ host: null })).to.contain('administrator');
  });
});

describe('linkSettingsOf', () => {
  it('imports issues only, all of them, with the usual meanings, unless told', () => {
    expect(linkSettingsOf({ repository: 'acme/shop' })).to.deep.equal({
      filter: { labels: [], pathPrefix: null },
      mapping: { bug: [], feature: [], chore: [], inProgress: [], critical: [], major: [], minor: [] },
      milestones: 'none',
      deployments: false,
      testRuns: 'none',
    });
  });

  it('takes what is sent, and answers it again', () => {
    const sent = {
      repository: 'acme/shop',
      issue_filter: { labels: ['pay'], path_prefix: 'packages/pay' },
      mapping: { bug: ['defect'], in_progress: ['doing'] },
      milestones: [3, 4],
      deployments: true,
      test_runs: 'checks',
    } as const;
    expectToFit(operations.linkRepository.body, sent, 'the request');
    const settings = linkSettingsOf(sent);
    expect(settings.mapping).to.deep.include({ bug: ['defect'], inProgress: ['doing'], minor: [] });
    const linked = linkedWith();
    const wire = wireRepositoryLink({ ...linked, link: { ...linked.link, settings } }, source);
    expect(wire).to.deep.include({
      issue_filter: sent.issue_filter,
      milestones: [3, 4],
      deployments: true,
      test_runs: 'checks',
    });
    expect(wire.mapping).to.deep.include({ bug: ['defect'], in_progress: ['doing'] });
  });
});

describe('wireMilestone', () => {
  it('names the release it became', () => {
    const wire = wireMilestone({ ...MILESTONE, dueAt: NOW, releaseId: null });
    expect(wire).to.include({ number: 12, due_at: '2026-11-20T12:00:00.000Z', release_id: null });
  });
});
