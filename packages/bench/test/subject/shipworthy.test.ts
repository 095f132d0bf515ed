import { createServer, type RequestListener, type Server } from 'node:http';
import { expect } from 'chai';
import { firstPerson, type SignedInPerson } from '../../src/subject/shipworthy.js';

const COOKIE = 'session=kept';

describe('a person with a browser session', () => {
  const servers: Server[] = [];
  const visits: string[] = [];
  let person: SignedInPerson;
  let home = 0;
  let away = 0;

  const listen = async (listener: RequestListener): Promise<number> => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  };

  before(async () => {
    away = await listen(({ url, headers }, response) => {
      visits.push(`away ${url} ${headers.cookie ?? 'nobody'}`);
      response.writeHead(302, { location: `http://127.0.0.1:${home}/back` }).end();
    });
    home = await listen(({ url, method, headers }, response) => {
      visits.push(`home ${method} ${url} ${headers.cookie ?? 'nobody'}`);
      if (url === '/round') return response.writeHead(302, { location: '/round' }).end();
      if (url === '/gone') return response.writeHead(404).end('gone');
      return response.writeHead(200, { 'set-cookie': `${COOKIE}; HttpOnly` }).end('{"data":{"id":"one"}}');
    });
    person = await firstPerson({ port: home, setupToken: 'token', pid: 0 });
  });
  beforeEach(() => visits.splice(0));
  after(() => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  it('shows the session to the server alone while following redirects', async () => {
    await person.visit(`http://127.0.0.1:${away}/approve`);
    expect(visits).to.deep.equal(['away /approve nobody', `home GET /back ${COOKIE}`]);
  });

  it('reads and changes with the session', async () => {
    expect(await person.get('/one')).to.deep.equal({ id: 'one' });
    await person.put('/one', {});
    expect(visits).to.deep.equal([`home GET /one ${COOKIE}`, `home PUT /one ${COOKIE}`]);
  });

  it('fails where a visit leads nowhere, or an answer is none', async () => {
    const failure = (work: Promise<unknown>): Promise<string> => work.then(() => 'nothing failed', String);
    expect(await failure(person.visit(`http://127.0.0.1:${home}/round`))).to.include('leads in circles');
    expect(await failure(person.visit(`http://127.0.0.1:${home}/gone`))).to.include('/gone was answered 404: gone');
    expect(await failure(person.get('/gone'))).to.include('GET /gone was answered 404: gone');
  });
});
