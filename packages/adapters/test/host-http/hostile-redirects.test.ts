import { expect } from 'chai';
import { timedFetch } from '../../src/host-http/timed-fetch.js';
import { INTERNAL_HOSTS, OTHER_SCHEMES, WITH_USER } from '../hostile-addresses/index.js';
import { oddServer, refusalIn } from './odd-server.js';

describe('a host that sends requests elsewhere', () => {
  it('is followed nowhere, however the place is written', async () => {
    const inside = await oddServer((_request, response) => response.end('{"secret":1}'));
    let location = '';
    const host = await oddServer((_request, response) => response.writeHead(302, { location }).end());
    try {
      const ask = timedFetch({ title: 'Host', clock: Date.now });
      const places = Object.values(INTERNAL_HOSTS).flatMap((hosts) =>
        hosts.flatMap((name) => [`http://${name}:${inside.url.port}/`, `//${name}:${inside.url.port}/`]),
      );
      for (const place of [...places, ...OTHER_SCHEMES, ...WITH_USER]) {
        // Headers carry bytes; what is beyond them is written as browsers send it.
        location = encodeURI(place).replaceAll('%25', '%').replaceAll('%5B', '[').replaceAll('%5D', ']');
        const answer = ask({
          method: 'GET',
          url: host.url,
          headers: { authorization: 'Bearer x' },
          deadline: Date.now() + 60_000,
        });
        expect((await refusalIn(answer)).details, place).to.include({ cause: 'redirected' });
      }
      expect(inside.paths, 'what reached the server inside').to.deep.equal([]);
    } finally {
      await host.close();
      await inside.close();
    }
  });
});
