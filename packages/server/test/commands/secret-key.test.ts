import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { backupKeyPath, keyPathOf, restoreKey } from '../../src/commands/secret-key.js';

describe('the key beside a backup', () => {
  let folder: string;
  let backup: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-'));
    backup = join(folder, 'backup');
    path = join(folder, 'shipworthy.sqlite.key');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('takes the place of none, stays where it is the same, and puts another one aside', async () => {
    expect(await restoreKey(backup, path)).to.equal('none');
    await writeFile(backupKeyPath(backup), 'the key of the backup\n');
    expect(await restoreKey(backup, path)).to.equal('put');
    expect(await readFile(path, 'utf8')).to.equal('the key of the backup\n');
    await writeFile(path, 'the key of the backup');
    expect(await restoreKey(backup, path)).to.equal('same');
    await writeFile(path, 'another key');
    expect(await restoreKey(backup, path)).to.equal('replaced');
    expect(await readFile(path, 'utf8')).to.equal('the key of the backup\n');
    const [aside = ''] = (await readdir(folder)).filter((name) => name.includes('.key.of-'));
    expect(await readFile(join(folder, aside), 'utf8')).to.equal('another key');
  });

  it('leaves the present key in its place when it cannot be written', async () => {
    await writeFile(backupKeyPath(backup), 'the key of the backup');
    await writeFile(path, 'another key');
    await mkdir(`${path}.part`);
    const failure = await restoreKey(backup, path).catch((error: NodeJS.ErrnoException) => error.code);
    expect(failure).to.equal('EISDIR');
    expect(await readFile(path, 'utf8')).to.equal('another key');
  });

  it('is readable by its owner only once restored, however wide the files were', async () => {
    const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
    await writeFile(backupKeyPath(backup), 'the key of the backup');
    await chmod(backupKeyPath(backup), 0o644);
    await restoreKey(backup, path);
    expect(await modeOf(path), 'put').to.equal('600');
    await chmod(path, 0o666);
    await restoreKey(backup, path);
    expect(await modeOf(path), 'the same').to.equal('600');
    await writeFile(path, 'another key');
    await chmod(path, 0o644);
    await restoreKey(backup, path);
    expect(await modeOf(path), 'replaced').to.equal('600');
    const [aside = ''] = (await readdir(folder)).filter((name) => name.includes('.key.of-'));
    expect(await modeOf(join(folder, aside)), 'kept aside').to.equal('600');
  });

  it('is a file unless it is given in the environment', () => {
    expect(keyPathOf({ kind: 'kept', path: '/a' })).to.equal('/a');
    expect(keyPathOf({ kind: 'file', path: '/b' })).to.equal('/b');
    expect(keyPathOf({ kind: 'given', text: 'x' })).to.equal(null);
  });
});
