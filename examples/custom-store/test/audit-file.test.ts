import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '@shipworthy/domain';
import { expect } from 'chai';
import { openAuditFile } from '../src/audit-file.js';

const TEAM = '01932c7e-5a10-7cc3-9b1e-3f2a4b5c6d7e';

const entryAt = (at: number): AuditEntry => ({
  id: TEAM,
  teamId: TEAM,
  at,
  actor: { userId: TEAM, name: 'Ada "the\nfirst"', kind: 'api_key' },
  action: 'release.ship',
  resource: { type: 'release', id: TEAM },
  address: '::1',
  requestId: 'request',
  detail: { note: 'line one\nline two\u2028' },
});

describe('an audit file', () => {
  let folder = '';
  let path = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-file-'));
  });
  beforeEach(() => {
    path = join(folder, `${Math.random()}.ndjson`);
  });
  after(() => rm(folder, { recursive: true }));

  it('holds one line per entry, with any content, and is read again after a restart', async () => {
    const entries = [1, 2, 3].map(entryAt);
    await (await openAuditFile(path)).append(entries);
    expect((await readFile(path, 'utf8')).split('\n')).to.have.lengthOf(4);
    expect(await (await openAuditFile(path)).ofTeam(TEAM)).to.deep.equal(entries);
  });

  it('drops the line that a crash cut off, and goes on behind the last complete one', async () => {
    await (await openAuditFile(path)).append([entryAt(1)]);
    await appendFile(path, '{"id":"0193');
    const file = await openAuditFile(path);
    await file.append([entryAt(2)]);
    expect((await file.ofTeam(TEAM)).map(({ at }) => at)).to.deep.equal([1, 2]);
  });

  it('keeps every entry of many that arrive at once', async () => {
    const file = await openAuditFile(path);
    await Promise.all(Array.from({ length: 50 }, (_, at) => file.append([entryAt(at)])));
    expect((await file.ofTeam(TEAM)).map(({ at }) => at)).to.deep.equal(Array.from({ length: 50 }, (_, at) => at));
  });

  it('is read on where another person appended to it', async () => {
    const [writer, reader] = [await openAuditFile(path), await openAuditFile(path)];
    for (const at of [1, 2]) {
      await writer.append([entryAt(at)]);
      expect(await reader.ofTeam(TEAM)).to.have.lengthOf(at);
    }
  });
});
