import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HookDelivery, HookNotice, ImportPart } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import fc from 'fast-check';
import { hostAt } from './scene.js';

interface Payload {
  readonly action?: string;
  readonly repository?: { readonly id: number };
  readonly issue?: { readonly node_id: string };
}

const file = new URL(import.meta.resolve('@octokit/webhooks-examples/api.github.com/index.json'));
const EVENTS = JSON.parse(readFileSync(file, 'utf8')) as { name: string; examples: Payload[] }[];

const PROJECT = 'p1';

const { hooks } = hostAt();

const delivered = (
  event: string,
  payload: unknown,
  options: { secret?: string; headers?: Record<string, string> } = {},
): HookDelivery => {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload), 'utf8');
  const secret = options.secret ?? hooks.secretOf(String((payload as Payload).repository?.id ?? ''), PROJECT);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    body,
    projectId: PROJECT,
    headers: {
      'x-github-event': event,
      'x-github-delivery': 'd-1',
      'x-hub-signature-256': `sha256=${signature}`,
      ...options.headers,
    },
  };
};

const examplesOf = (event: string): readonly Payload[] => {
  const found = EVENTS.find(({ name }) => name === event);
  if (found === undefined) throw new Error(`no example of ${event}`);
  return found.examples;
};

const codeOf = (work: () => HookNotice): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code);
    throw error;
  }
  return 'read';
};

describe('GitHub’s webhooks', () => {
  it('are all read, and name their repository and delivery', () => {
    let read = 0;
    for (const { name, examples } of EVENTS) {
      for (const example of examples) {
        const notice = hooks.read(delivered(name, example));
        expect(notice.deliveryId).to.equal('d-1');
        expect(notice.repositoryId, name).to.equal(
          example.repository === undefined ? null : String(example.repository.id),
        );
        read += 1;
      }
    }
    expect(read)
      .to.equal(EVENTS.reduce((sum, { examples }) => sum + examples.length, 0))
      .and.be.greaterThan(250);
  });

  it('name the parts that may have changed, and nothing for what is not imported', () => {
    const parts: Record<string, readonly ImportPart[]> = {
      issues: ['issues'],
      label: ['issues'],
      milestone: ['milestones', 'issues'],
      deployment: ['deployments'],
      deployment_status: ['deployments'],
    };
    for (const { name, examples } of EVENTS) {
      if (hooks.events.includes(name) && parts[name] === undefined) continue;
      for (const example of examples)
        expect(hooks.read(delivered(name, example)).parts, name).to.deep.equal(parts[name] ?? []);
    }
    for (const event of ['check_run', 'check_suite', 'workflow_run']) {
      const seen = examplesOf(event).map((example) => [
        example.action,
        hooks.read(delivered(event, example)).parts.join(),
      ]);
      expect(new Set(seen.map(([action, part]) => (action === 'completed') === (part === 'test_runs')))).to.deep.equal(
        new Set([true]),
      );
      expect(
        seen.some(([action]) => action === 'completed'),
        event,
      ).to.equal(true);
    }
    for (const example of examplesOf('repository')) {
      const all = ['renamed', 'transferred', 'edited', 'deleted'].includes(example.action ?? '');
      expect(hooks.read(delivered('repository', example)).parts, example.action).to.have.lengthOf(all ? 4 : 0);
    }
  });

  it('suspect the issue that was deleted or transferred, and no other', () => {
    for (const example of examplesOf('issues')) {
      const gone = example.action === 'deleted' || example.action === 'transferred';
      const { suspectIssueIds } = hooks.read(delivered('issues', example));
      expect(suspectIssueIds, example.action).to.deep.equal(gone ? [example.issue?.node_id] : []);
    }
    expect(
      examplesOf('issues').filter(({ action }) => action === 'deleted' || action === 'transferred'),
    ).to.have.lengthOf(2);
    const deleted = (node_id: unknown) =>
      hooks.read(delivered('issues', { action: 'deleted', repository: { id: 7 }, issue: { node_id } })).suspectIssueIds;
    expect(deleted('I_1')).to.deep.equal(['I_1']);
    for (const odd of ['I'.repeat(201), '', 'I 1', 7, ['I_1']]) expect(deleted(odd), String(odd)).to.deep.equal([]);
  });

  it('have a secret for each repository and project, the same whenever it is asked for, from the server’s own key', () => {
    expect(hooks.secretOf('7', PROJECT)).to.match(/^[0-9a-f]{64}$/);
    expect(hostAt().hooks.secretOf('7', PROJECT)).to.equal(hooks.secretOf('7', PROJECT));
    expect(hooks.secretOf('8', PROJECT)).not.to.equal(hooks.secretOf('7', PROJECT));
    expect(hooks.secretOf('7', 'p2')).not.to.equal(hooks.secretOf('7', PROJECT));
    expect(hostAt({ secretKey: Buffer.alloc(32, 9) }).hooks.secretOf('7', PROJECT)).not.to.equal(
      hooks.secretOf('7', PROJECT),
    );
    expect(hooks.events).to.include.members(['issues', 'milestone', 'deployment_status', 'workflow_run', 'repository']);
  });

  it('are refused unless signed with the secret of their own repository', () => {
    const payload = { action: 'opened', repository: { id: 7 } };
    const good = delivered('issues', payload);
    expect(codeOf(() => hooks.read(good))).to.equal('read');
    expect(codeOf(() => hooks.read(delivered('issues', payload, { secret: hooks.secretOf('8', PROJECT) })))).to.equal(
      'wrong-signature',
    );
    for (const signature of ['', 'sha256=', 'sha1=abc', good.headers['x-hub-signature-256']?.toUpperCase()]) {
      const headers = { ...good.headers, 'x-hub-signature-256': signature };
      expect(
        codeOf(() => hooks.read({ ...good, headers })),
        signature,
      ).to.equal('wrong-signature');
    }
  });

  it('are refused when any byte was changed', () => {
    const good = delivered('issues', { action: 'opened', repository: { id: 7 }, issue: { title: 'a title' } });
    fc.assert(
      fc.property(fc.nat(good.body.length - 1), fc.integer({ min: 1, max: 255 }), (place, bits) => {
        const body = Buffer.from(good.body);
        body[place] = (body[place] ?? 0) ^ bits;
        expect(codeOf(() => hooks.read({ ...good, body }))).to.be.oneOf(['wrong-signature', 'invalid']);
      }),
    );
  });

  it('are not of this host without its headers and a JSON object', () => {
    const payload = { repository: { id: 7 } };
    for (const name of ['x-github-event', 'x-github-delivery']) {
      for (const value of ['', 'two words', 'x'.repeat(201)]) {
        expect(codeOf(() => hooks.read(delivered('ping', payload, { headers: { [name]: value } })))).to.equal(
          'invalid',
        );
      }
    }
    for (const body of ['', '[]', 'null', '{"repository"', 'payload=%7B%7D']) {
      expect(
        codeOf(() => hooks.read(delivered('ping', body, { secret: 'x' }))),
        body,
      ).to.equal('invalid');
    }
    expect(codeOf(() => hooks.read(delivered('__proto__', payload)))).to.equal('read');
  });
});
