import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { proxiedFetch } from '../src/process-world.js';

const listening = async <Some extends Server>(server: Some): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('proxiedFetch', () => {
  const asked: string[] = [];
  const proxy = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      asked.push(String(data));
      socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
    });
  });
  const near = createHttpServer((request, response) => response.end(request.headers.authorization));
  let env: { readonly HTTP_PROXY: string; readonly HTTPS_PROXY: string };
  const before_ = { HTTP_PROXY: process.env.HTTP_PROXY, HTTPS_PROXY: process.env.HTTPS_PROXY };
  before(async () => {
    const url = await listening(proxy);
    env = { HTTP_PROXY: url, HTTPS_PROXY: url };
    // The library reads the process's own.
    Object.assign(process.env, env);
  });
  after(() => {
    for (const [name, value] of Object.entries(before_))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    proxy.close();
    near.close();
  });
  const headers = { authorization: 'Bearer canary' };

  it('asks this machine without a proxy, which would read the key', async () => {
    const answer = await proxiedFetch(env)(await listening(near), { headers });
    expect(await answer.text()).to.equal('Bearer canary');
    expect(asked).to.deep.equal([]);
  });

  it('tunnels https through the proxy', async () => {
    const failed = await proxiedFetch(env)('https://shipworthy.example/', { headers }).then(
      () => false,
      () => true,
    );
    expect(failed).to.equal(true);
    expect(asked[0]).to.match(/^CONNECT shipworthy\.example:443 /);
    expect(asked.join()).not.to.contain('canary');
  });
});
