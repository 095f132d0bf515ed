import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { expect } from 'chai';
import { ask, isExempt, NetworkFault, proxyFor, readProxy } from '../../src/doctor/network.js';

const url = (text: string) => new URL(text);

describe('proxyFor', () => {
  it('reads the variables in the order programs do', () => {
    const env = { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'http://b:2', https_proxy: 'c:3' };
    expect(proxyFor(url('https://x.example'), env)).to.deep.include({ name: 'https_proxy' });
    expect(proxyFor(url('http://x.example'), env)?.url.host).to.equal('a:1');
    expect(proxyFor(url('https://x.example'), {})).to.equal(undefined);
    expect(proxyFor(url('https://x.example'), { ...env, no_proxy: 'x.example' })).to.equal(undefined);
  });

  it('refuses what is no proxy', () => {
    for (const value of ['http://', 'socks5://p:1', 'a b'])
      expect(() => readProxy('HTTPS_PROXY', value), value).to.throw(NetworkFault, 'HTTPS_PROXY');
  });
});

describe('isExempt', () => {
  for (const [noProxy, exempt] of [
    ['*', true],
    ['ship.example', true],
    ['.ship.example', true],
    ['*.ship.example', true],
    ['example', true],
    ['other.example, ship.example', true],
    ['ship.example:443', true],
    ['ship.example:8443', false],
    ['hip.example', false],
    ['', false],
  ] as const)
    it(`${noProxy || 'nothing'}: ${exempt}`, () => {
      expect(isExempt(url('https://api.ship.example/x'), noProxy)).to.equal(exempt);
    });
});

describe('ask through a proxy', () => {
  const listening = async (server: ReturnType<typeof createServer> | ReturnType<typeof createTcpServer>) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };

  it('is let through with user and password, and says when they are wanted', async () => {
    const target = createServer((_, response) => response.end('here'));
    const proxy = createServer();
    const seen: (string | undefined)[] = [];
    proxy.on('connect', (request, socket) => {
      const authorization = request.headers['proxy-authorization'];
      seen.push(authorization);
      if (authorization === undefined) return socket.end('HTTP/1.1 407 No\r\n\r\n');
      const through = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Yes\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
      through.on('error', () => socket.destroy());
      return undefined;
    });
    const [port, proxyPort] = [await listening(target), await listening(proxy)];
    const through = (userinfo: string) =>
      ask(url(`http://127.0.0.1:${port}/`), {
        proxy: readProxy('HTTP_PROXY', `http://${userinfo}127.0.0.1:${proxyPort}`),
        signal: AbortSignal.timeout(60_000),
      });
    try {
      expect((await through('ada:p%40ss@')).body).to.equal('here');
      expect(Buffer.from(seen[0]?.replace('Basic ', '') ?? '', 'base64').toString()).to.equal('ada:p@ss');
      const refused = await through('').catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(NetworkFault).and.include({ kind: 'proxy_sign_in' });
    } finally {
      target.close();
      proxy.close();
      target.closeAllConnections();
      proxy.closeAllConnections();
    }
  });

  it('says that a server is silent, or ends the connection', async () => {
    const mute = createTcpServer();
    const port = await listening(mute);
    const silent = await ask(url(`http://127.0.0.1:${port}/`), { signal: AbortSignal.timeout(200) }).catch(
      (error: unknown) => error,
    );
    expect(silent).to.be.instanceOf(NetworkFault).and.include({ kind: 'silent' });
    mute.close();
    const rude = createTcpServer((socket) => socket.resetAndDestroy());
    const rudePort = await listening(rude);
    const cut = await ask(url(`http://127.0.0.1:${rudePort}/`), { signal: AbortSignal.timeout(60_000) }).catch(
      (error: unknown) => error,
    );
    expect(cut).to.be.instanceOf(NetworkFault).and.include({ kind: 'reset' });
    rude.close();
  });
});
