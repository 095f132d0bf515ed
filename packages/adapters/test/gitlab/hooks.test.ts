import { DomainError } from '@shipworthy/domain';
import type { HookDelivery } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import { gitlabHooks } from '../../src/gitlab/hooks.js';
import { SECRET_KEY } from './opened.js';

const PROJECT = 'p1';
const hooks = gitlabHooks(SECRET_KEY);
const secret = hooks.secretOf('15', PROJECT);

const delivery = (event: string, body: unknown, headers: Record<string, string> = {}): HookDelivery => ({
  headers: { 'x-gitlab-event': event, 'x-gitlab-token': secret, 'x-gitlab-event-uuid': 'uuid-1', ...headers },
  projectId: PROJECT,
  body: typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body)),
});
const issue = (more: object = {}) => ({
  object_kind: 'issue',
  project: { id: 15 },
  object_attributes: { id: 301, iid: 23, action: 'update', moved_to_id: null, ...more },
});
const codeOf = (given: HookDelivery): string => {
  try {
    hooks.read(given);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'read';
};

describe('webhooks of GitLab', () => {
  it('tell what may have changed, and nothing else', () => {
    expect(hooks.read(delivery('Issue Hook', issue(), { 'idempotency-key': 'key-1' }))).to.deep.equal({
      deliveryId: 'key-1',
      repositoryId: '15',
      parts: ['issues'],
      suspectIssueIds: [],
    });
    const parts = (event: string, body: unknown) => hooks.read(delivery(event, body)).parts;
    const project = { project: { id: 15 } };
    expect(parts('Milestone Hook', project)).to.deep.equal(['milestones', 'issues']);
    expect(parts('Deployment Hook', { status: 'success', ...project })).to.deep.equal(['deployments']);
    expect(parts('Work Item Hook', issue())).to.deep.equal(['issues']);
    for (const event of ['Job Hook', 'Push Hook', 'Note Hook', 'constructor', '__proto__']) {
      expect(parts(event, { project_id: 15 }), event).to.deep.equal([]);
    }
  });

  it('report tests only when a pipeline has finished', () => {
    const parts = (status: unknown) =>
      hooks.read(delivery('Pipeline Hook', { project: { id: 15 }, object_attributes: { status } })).parts;
    expect([parts('success'), parts('failed')]).to.deep.equal([['test_runs'], ['test_runs']]);
    for (const status of ['running', 'canceled', ['success'], { toString: 1 }, null])
      expect(parts(status), JSON.stringify(status)).to.deep.equal([]);
  });

  it('raise a doubt about issues that moved or went out of sight', () => {
    const suspects = (event: string, more: object) => hooks.read(delivery(event, issue(more))).suspectIssueIds;
    expect(suspects('Issue Hook', { moved_to_id: 9 })).to.deep.equal(['15-23']);
    expect(suspects('Confidential Issue Hook', {})).to.deep.equal(['15-23']);
    expect(suspects('Confidential Issue Hook', { iid: 'x' })).to.deep.equal([]);
    for (const event of ['constructor', '__proto__', 'Note Hook'])
      expect(suspects(event, { moved_to_id: 9 }), event).to.deep.equal([]);
    expect(suspects('Push Hook', { moved_to_id: 9 })).to.deep.equal([]);
  });

  it("carry the secret of their own repository, or don't count", () => {
    const wrong = [
      secret.slice(0, -1),
      `${secret}0`,
      hooks.secretOf('16', PROJECT),
      hooks.secretOf('15', 'p2'),
      secret.toUpperCase(),
      '',
    ];
    for (const token of wrong) {
      expect(codeOf(delivery('Issue Hook', issue(), { 'x-gitlab-token': token })), token).to.equal('wrong-signature');
    }
    const { 'x-gitlab-token': _token, ...headers } = delivery('Issue Hook', issue()).headers;
    expect(codeOf({ ...delivery('Issue Hook', issue()), headers })).to.equal('wrong-signature');
    expect(codeOf(delivery('Issue Hook', { ...issue(), project: { id: 16 } }))).to.equal('wrong-signature');
  });

  it('are deliveries of GitLab, or nothing', () => {
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      '7',
      '{}',
      '{"project":{"id":"15"}}',
      '{"project_id":-1}',
      '{"project":[]}',
      '{"project_id":15,"object_attributes":[]}',
    ]) {
      expect(codeOf(delivery('Issue Hook', body)), body).to.equal('invalid');
    }
    expect(codeOf({ headers: {}, body: Buffer.from('{}'), projectId: PROJECT })).to.equal('invalid');
    expect(codeOf({ ...delivery('Issue Hook', issue()), body: Uint8Array.of(0xff, 0xfe) })).to.equal('invalid');
  });

  it('keep their id when repeated, and share it with no other', () => {
    const idOf = (body: unknown, headers = {}) => hooks.read(delivery('Issue Hook', body, headers)).deliveryId;
    expect(idOf(issue())).to.equal(idOf(issue()));
    // A hook set off by a hook shares the event's id with it.
    expect(idOf(issue())).not.to.equal(idOf(issue({ title: 'other' })));
    expect(idOf(issue())).not.to.equal(idOf(issue(), { 'x-gitlab-event-uuid': 'uuid-2' }));
    expect(idOf(issue(), { 'idempotency-key': 'k' })).to.equal(idOf(issue({ title: 'x' }), { 'idempotency-key': 'k' }));
    for (const odd of ['k'.repeat(201), 'k k', ''])
      expect(idOf(issue(), { 'idempotency-key': odd, 'x-gitlab-event-uuid': odd }), odd).to.have.length(33);
  });

  it('name the events to choose', () => {
    expect(hooks.events).to.include.members(['Issues events', 'Deployment events', 'Pipeline events']);
    expect(hooks.secretOf('15', PROJECT)).to.equal(gitlabHooks(SECRET_KEY).secretOf('15', PROJECT));
  });
});
