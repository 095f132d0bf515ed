import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProcess } from '../harness/process.js';

describe('a server that cannot start on a disk of its own', () => {
  let disk: string;
  beforeEach(async () => {
    disk = await mkdtemp(join(tmpdir(), 'shipworthy-disk-'));
  });
  afterEach(() => rm(disk, { recursive: true, force: true }));

  /** What a start says whose data folder is on a new disk, which nothing else sees. */
  const saidOn = async (options: string) => {
    const script = `mount -t tmpfs -o ${options} tmpfs '${disk}' && exec "$@"`;
    const through = ['unshare', '--mount', 'sh', '-c', script, 'sh'];
    const { code, complained } = await runProcess(
      ['start'],
      { PORT: '0', SHIPWORTHY_DATA_DIR: join(disk, 'data') },
      through,
    );
    expect(code, complained).to.equal(1);
    expect(complained).to.match(/^Error: [^\n]+\n$/);
    return complained;
  };

  for (const size of ['8k', '16k', '100k', '600k'])
    it(`names the disk of ${size} that is full, and the setting`, async () => {
      const words = await saidOn(`size=${size}`);
      expect(words)
        .to.contain(join(disk, 'data', 'shipworthy.sqlite'))
        .and.match(/disk.* is full/);
      expect(words).to.contain('SHIPWORTHY_DATA_DIR');
    });

  it('names the folder on a disk that is read-only', async () => {
    const words = await saidOn('ro');
    expect(words).to.contain(join(disk, 'data')).and.contain('EROFS').and.contain('SHIPWORTHY_DATA_DIR');
  });
});
