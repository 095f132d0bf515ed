import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { VERSION } from '../src/version.js';
import { type Installed, packAndInstall } from './installed.js';
import { converseWith } from './mcp/conversation.js';
import { type Service, startService } from './service/service.js';

const REPORT = `<testsuites><testsuite name="unit">
  <testcase classname="cart" name="adds"/><testcase classname="cart" name="takes away"/>
</testsuite></testsuites>`;

describe('the packed command', () => {
  let service: Service;
  let installed: Installed;
  let env: Record<string, string>;
  before(async () => {
    installed = await packAndInstall();
    service = await startService();
    env = { SHIPWORTHY_API_URL: service.url, SHIPWORTHY_API_KEY: service.key };
  });
  after(async () => {
    await installed.remove();
    await service.stop();
  });
  const place = () => ({ team_id: service.teamId, project_id: service.projectId });

  it('installs alone, from an empty cache and without a network', () => {
    expect(readdirSync(join(installed.folder, 'node_modules')).filter((name) => !name.startsWith('.'))).to.deep.equal([
      '@shipworthy',
    ]);
    expect(readdirSync(join(installed.folder, 'node_modules/@shipworthy'))).to.deep.equal(['cli']);
    const manifest = JSON.parse(
      readFileSync(join(installed.folder, 'node_modules/@shipworthy/cli/package.json'), 'utf8'),
    );
    expect(manifest).to.not.have.any.keys('dependencies', 'optionalDependencies', 'peerDependencies');
  });

  it('holds the bundle with its licences, and stays below a megabyte', () => {
    const { files, size } = installed.tarball;
    expect(files).to.include.members(['LICENSE', 'README.md', 'dist/bundle/main.js']);
    expect(
      files.filter((path) => !/^(LICENSE|README\.md|package\.json|dist\/bundle\/[^/]+)$/.test(path)),
    ).to.deep.equal([]);
    expect(size).to.be.below(1_000_000);
    const notices = readFileSync(
      join(installed.folder, 'node_modules/@shipworthy/cli/dist/bundle/THIRD-PARTY-LICENSES.txt'),
      'utf8',
    );
    for (const name of ['commander 14.', '@modelcontextprotocol/server 2.', 'undici 7.', 'zod 4.', 'ajv 8.'])
      expect(notices).to.contain(name);
  });

  it('says its version', async () => {
    expect(await installed.npx({}, '--version')).to.include({ exit: 0, out: `${VERSION}\n` });
  });

  it('runs a deployment and records it', async () => {
    await writeFile(join(installed.folder, 'deploy.sh'), '#!/bin/sh\necho deployed "$1"\nexit "$2"\n', { mode: 0o755 });
    const deploy = (...words: readonly string[]) =>
      installed.npx(
        { ...env, GITHUB_ACTIONS: 'true', GITHUB_SHA: '9fceb02d0ae598e95dc970b74767f19372d61af8' },
        ...['deploy', 'run', '--app', 'checkout', '--env', 'production', '--', './deploy.sh', ...words],
      );
    const good = await deploy('well', '0');
    expect(good.exit, good.err).to.equal(0);
    expect(good.out).to.contain('deployed well');
    expect((await deploy('badly', '7')).exit).to.equal(7);
    const { body } = await service.person.listDeployments({ path: place() });
    expect(body.data.map(({ status }) => status)).to.deep.equal(['failure', 'success']);
  });

  it('records a report', async () => {
    await writeFile(join(installed.folder, 'report.xml'), REPORT);
    const { exit, err } = await installed.npx(env, 'tests', 'record', 'report.xml');
    expect(exit, err).to.equal(0);
    const { body } = await service.person.listTestRuns({ path: place() });
    expect(body.data[0]).to.include({ total: 2, passed: 2, failed: 0 });
  });

  it('asks the gate, and obeys it', async () => {
    const { exit, out, err } = await installed.npx(env, 'gate', '--json');
    expect(exit, err).to.equal(3);
    expect(JSON.parse(out).data).to.have.property('decision', 'hold');
  });

  it('goes through the proxy of the environment, which never sees the key', async () => {
    const asked: string[] = [];
    const proxy = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        asked.push(String(data));
        socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const through = {
      SHIPWORTHY_API_URL: 'https://shipworthy.example',
      SHIPWORTHY_API_KEY: service.key,
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    };
    const { exit } = await installed.npx(through, 'gate', '--timeout', '1');
    proxy.close();
    expect(exit).to.equal(5);
    expect(asked[0]).to.match(/^CONNECT shipworthy\.example:443 /);
    expect(asked.join()).not.to.contain(service.key);
  });

  it('serves coding agents', async () => {
    const main = join(installed.folder, 'node_modules/@shipworthy/cli/dist/bundle/main.js');
    const talk = await converseWith(main, installed.folder, env);
    expect((await talk.ask('get_gate')).text).to.contain('checkout 1.0: hold');
    expect((await talk.ask('get_axis_rows', { axis: 'Speed!' })).text).to.contain('Invalid arguments');
    expect(await talk.end()).to.equal('');
  });
});
