import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { deploymentNote, forgetNotes, noteDeployment } from '../../src/spool/deployment-note.js';
import type { KeptEntry } from '../../src/spool/spool.js';

const started = (reference: string, madeAt: number): KeptEntry => ({
  entry: {
    operation: 'createDeployment',
    body: { app_name: 'a', environment: 'e', commit_sha: 'abcdef1', status: 'started' },
    idempotencyKey: 'k',
    address: 'https://a.example',
    madeAt,
  },
  name: 'x.json',
  reference,
});

describe('noteDeployment', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipworthy-notes-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is answered by its reference, however many note the same at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => noteDeployment(folder, started('kept:1', 7), 'id-1')));
    expect(await deploymentNote(folder, 'kept:1')).to.deep.equal({
      id: 'id-1',
      address: 'https://a.example',
      startedAt: 7,
    });
    expect(await deploymentNote(folder, 'kept:2')).to.equal(undefined);
  });

  it('is forgotten once it is old, and so is what is no note', async () => {
    await noteDeployment(folder, started('kept:old', 99), 'a');
    await noteDeployment(folder, started('kept:new', 100), 'b');
    for (const [index, text] of ['{', 'null', '{"id":7}'].entries())
      await writeFile(join(folder, 'deployments', `broken-${index}.json`), text);
    expect(await deploymentNote(folder, 'kept:broken-0')).to.equal(undefined);
    await forgetNotes(folder, 100);
    expect(await readdir(join(folder, 'deployments'))).to.deep.equal(['new.json']);
  });
});
