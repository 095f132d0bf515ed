import { expect } from 'chai';
import { createLog } from '../../src/observability/log.js';
import { beginApproval } from '../harness/approval.js';
import type { RawAnswer } from '../harness/contract-check.js';
import { inMemory } from '../harness/openings.js';
import { PASSWORD, SETUP, secretIn } from '../harness/people.js';
import { METRICS_TOKEN, type Service, startService } from '../harness/service.js';
import { CODE, createTestHost } from '../harness/test-host.js';

describe('what is secret', () => {
  let service: Service;
  const lines: string[] = [];
  const log = createLog('debug', async (text) => void lines.push(text), Date.now);
  before(async () => {
    service = await startService(await inMemory(), { log, repositoryHost: createTestHost().host });
  });
  after(() => service.close());

  it('is answered where the contract says, and is in no log line, no other answer and no metric', async () => {
    const setup = await service.anonymous.ok('setUp', { body: SETUP });
    const signedIn = await service.anonymous.ok('signIn', { body: { email: SETUP.email, password: PASSWORD } });
    const browser = service.signedIn({ secret: secretIn(signedIn) });
    const { key } = (await browser.ok('createApiKey', { body: { name: 'ci', scopes: ['read'], all_teams: true } })).body
      .data;
    const { token } = (await browser.ok('createInvitation', { body: {} })).body.data;
    const grace = { token, email: 'grace@acme.dev', name: 'Grace', password: 'the phrase of Grace' };
    const accepted = await service.anonymous.ok('acceptInvitation', { body: grace });
    const change = { current_password: PASSWORD, new_password: 'another long phrase' };
    const wrong = { ...change, current_password: 'a phrase that is wrong' };
    const answers: RawAnswer[] = [
      setup,
      signedIn,
      accepted,
      await browser.refused('changePassword', 'wrong-credentials', { body: wrong }),
      await browser.ok('changePassword', { body: change }),
      await browser.ok('listApiKeys'),
      await browser.ok('whoAmI'),
      await service.withKey(key).ok('whoAmI'),
      await service.withKey(`${key}x`).refused('whoAmI', 'unauthenticated'),
      await service.anonymous.refused('acceptInvitation', 'invitation-unusable', { body: grace }),
      await service.anonymous.ok('readMetrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } }),
    ];
    const state = await beginApproval(browser);
    const back = { state, code: CODE };
    const approved = await browser.ok('finishHostConnection', { query: back });
    const again = await browser.refused('finishHostConnection', 'approval-unusable', { query: back });
    answers.push(approved, again, await browser.ok('readHostConnection'), await browser.ok('listRepositories'));
    await log.flush();
    const told = [...lines, ...answers.map(({ text }) => text)].join('\n');
    expect(lines.join('')).to.contain('/api/settings/api-keys');
    const sessions = [setup, signedIn, accepted].map(secretIn);
    const passwords = [PASSWORD, grace.password, change.new_password, wrong.current_password];
    for (const secret of [
      ...sessions,
      ...passwords,
      key,
      token,
      state,
      CODE,
      'sealed',
      SETUP.setup_token,
      METRICS_TOKEN,
    ])
      expect(told.includes(secret), secret).to.equal(false);
  });
});
