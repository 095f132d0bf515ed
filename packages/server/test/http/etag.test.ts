import { expect } from 'chai';
import { entityTag, matchesNone } from '../../src/http/etag.js';
import { ask } from '../harness/ask.js';
import { startBare } from '../harness/bare-service.js';

describe('entity tags', () => {
  it('differ with the body', () => {
    expect(entityTag('a'))
      .to.equal(entityTag('a'))
      .and.match(/^[\w-]{27}$/);
    expect(entityTag('a')).to.not.equal(entityTag('b'));
  });

  it('are found alone, in lists, weak, and by the star', () => {
    for (const header of ['"t"', '"a", "t"', 'W/"t"', 'W/"a",W/"t"', '*', ' * ', '"t","b"'])
      expect(matchesNone(header, 't'), header).to.equal(true);
    for (const header of ['', 't', '"tt"', '"a"', '"a, t"', 'W/"tt"', '"T"'])
      expect(matchesNone(header, 't'), header).to.equal(false);
  });

  it('answer 304 without a body to whoever knows the text', async () => {
    const service = await startBare({
      routes: { readGate: async () => ({ status: 200, text: '{"data":1}', etag: 'abc' }) },
    });
    try {
      const ada = await service.world.person('Ada');
      const team = await service.world.team(ada, 'Payments');
      const project = await service.world.project(ada, team, 'checkout');
      const release = await service.world.release(ada, project, '2.4');
      const path = `/api/teams/${team.id}/projects/${project.id}/releases/${release.id}/gate`;
      const headers = { authorization: `Bearer ${await service.world.key(ada)}` };
      const first = await ask(service.url, path, { headers });
      expect(first.headers).to.include({ etag: '"abc"', 'cache-control': 'private, no-cache' });
      const again = await ask(service.url, path, { headers: { ...headers, 'if-none-match': '"x", "abc"' } });
      expect(again.status).to.equal(304);
      expect(again.text).to.equal('');
      expect(again.headers).to.include({ etag: '"abc"', 'cache-control': 'private, no-cache' });
      expect(again.headers).to.not.have.property('content-type');
      const other = await ask(service.url, path, { headers: { ...headers, 'if-none-match': '"x"' } });
      expect(other.text).to.equal('{"data":1}');
    } finally {
      await service.close();
    }
  });
});
