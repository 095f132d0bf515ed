import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '@shipworthy/domain';
import { expect } from 'chai';
import { startFault } from '../../src/commands/start-fault.js';
import type { Config } from '../../src/config.js';
import { runProcess, startProcess } from '../harness/process.js';

describe('a server that cannot start', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ship worthy-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** What a start says that is to fail: one line. */
  const said = async (environment: Readonly<Record<string, string>>) => {
    const { code, complained } = await runProcess(['start'], { PORT: '0', ...environment });
    expect(code, complained).to.equal(1);
    expect(complained).to.match(/^Error: [^\n]+\n$/);
    return complained;
  };

  it('names the port that is taken, and the setting', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    try {
      const words = await said({ PORT: String(port), SHIPWORTHY_DATA_DIR: join(folder, 'a') });
      expect(words).to.contain(`Port ${port} of 127.0.0.1 is taken`).and.contain('set PORT');
    } finally {
      taken.close();
    }
  });

  it('names the folder that is none', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const words = await said({ SHIPWORTHY_DATA_DIR: file });
    expect(words).to.contain(file).and.contain('ENOTDIR').and.contain('SHIPWORTHY_DATA_DIR');
  });

  it('names the folder that it may not write, or that is on a read-only disk', () => {
    const database = { kind: 'sqlite', file: '/data/shipworthy.sqlite' } as const;
    const config = { database, secretKey: { kind: 'kept', path: '/data/x.key' }, dataDir: '/data' } as Config;
    for (const code of ['EACCES', 'EROFS']) {
      const words = startFault(Object.assign(new Error(code), { code, path: '/data', syscall: 'mkdir' }), config);
      expect(words).to.contain('/data cannot be opened or made').and.contain(code).and.contain('SHIPWORTHY_DATA_DIR');
    }
  });

  it('names the file that is no database, which stays as it is', async () => {
    const data = join(folder, 'broken');
    await mkdir(data);
    await writeFile(join(data, 'shipworthy.sqlite'), 'no database at all'.repeat(1000));
    const words = await said({ SHIPWORTHY_DATA_DIR: data });
    expect(words).to.contain(join(data, 'shipworthy.sqlite')).and.contain('restore');
  });

  it('names the key file that is not there', async () => {
    const path = join(folder, 'absent.key');
    const words = await said({ SHIPWORTHY_DATA_DIR: join(folder, 'b'), SHIPWORTHY_SECRET_KEY_FILE: path });
    expect(words).to.contain('SHIPWORTHY_SECRET_KEY_FILE').and.contain(path);
  });

  it('names the full disk, below whatever it was taken for', () => {
    const database = { kind: 'sqlite', file: '/data/shipworthy.sqlite' } as const;
    const config = { database, secretKey: { kind: 'kept', path: '/data/x.key' }, dataDir: '/data' } as Config;
    for (const code of ['ENOSPC', 'SQLITE_FULL']) {
      const plain = Object.assign(new Error(`${code}: no space`), { code });
      for (const error of [plain, new DomainError('unavailable', 'It cannot be reached.', { reason: code })])
        expect(startFault(error, config)).to.contain('is full').and.contain('/data/shipworthy.sqlite');
    }
    expect(startFault(new Error('Something else.'), config)).to.equal('Something else.');
  });

  it('does start in a folder with a blank in its name', async () => {
    const server = await startProcess({ SHIPWORTHY_DATA_DIR: join(folder, 'data of ours') });
    expect(await server.end()).to.equal(0);
  });
});
