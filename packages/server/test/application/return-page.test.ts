import { expect } from 'chai';
import type { ApplicationFiles } from '../../src/application/application-files.js';
import { type BareService, startBare } from '../harness/bare-service.js';

const page = {
  contentType: 'text/html; charset=utf-8',
  tag: '1',
  lasting: false,
  plain: Buffer.from(''),
  gzip: Buffer.from(''),
  brotli: Buffer.from(''),
};
const APPLICATION: ApplicationFiles = { byPath: new Map(), page };
const CALLBACK = '/api/settings/github/callback?error=access_denied';

describe('whoever comes back from the repository host and is refused', () => {
  const started: BareService[] = [];
  const ask = async (application: boolean, accept: string) => {
    const service = await startBare(application ? { application: APPLICATION } : {});
    started.push(service);
    return fetch(service.url + CALLBACK, { headers: { accept } });
  };
  afterEach(async () => {
    for (const service of started.splice(0)) await service.close();
  });

  it('reads a page with the status of the problem, and goes back into the application', async () => {
    const answer = await ask(true, 'text/html,*/*;q=0.8');
    expect(answer.status).to.equal(401);
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).to.contain("style-src 'self'");
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(await answer.text()).to.contain('href="/settings/repository-host"');
  });

  it('reads the problem itself in a program, and where there is no application', async () => {
    for (const answer of [await ask(true, 'application/json'), await ask(false, 'text/html')])
      expect(answer.headers.get('content-type')).to.contain('application/problem+json');
  });
});
