import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startChild } from '../../src/process/child.js';
import { openWorkshop } from '../../src/process/workshop.js';

const loadProgram = new URL('../../src/load/load-main.js', import.meta.url).href;

describe('a workshop', () => {
  it('ends its processes and removes its files when it is closed', async () => {
    const workshop = openWorkshop();
    const path = workshop.path('notes');
    writeFileSync(path, 'kept as long as the workshop');
    const { process: child } = startChild(workshop, { program: loadProgram });
    await workshop.close();
    expect(child.exitCode ?? child.signalCode).to.not.equal(null);
    expect(existsSync(path)).to.equal(false);
    await workshop.close();
  });

  it('undoes what was registered, the last first, even after failures', async () => {
    const workshop = openWorkshop();
    const undone: string[] = [];
    workshop.atClose(async () => void undone.push('first'));
    workshop.atClose(() => Promise.reject(new Error('already gone')));
    workshop.atClose(async () => void undone.push('last'));
    await workshop.close();
    expect(undone).to.deep.equal(['last', 'first']);
  });

  it('removes what a killed run left behind', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const abandoned = join(tmpdir(), `shipworthy-bench-${pid}-left`);
    mkdirSync(abandoned);
    await openWorkshop().close();
    expect(existsSync(abandoned)).to.equal(false);
  });
});
