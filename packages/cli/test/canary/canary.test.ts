import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { spoolFolder } from '../../src/spool/spool.js';
import { runIn, type StandIn, standIn } from '../stand-in.js';
import { allCommands, furnish, LINES } from './command-lines.js';
import { type HostileServer, startHostileServer } from './hostile-server.js';
import { KEY, PLIGHTS, type Plight, TRACES } from './plights.js';

/** Every file below a folder that holds a trace of the key, but for those the user made and git's own store. */
const filesWithTraces = (world: StandIn, planted: ReadonlySet<string>): readonly string[] =>
  readdirSync(world.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !planted.has(path) && !path.includes('.git/'))
    .filter((path) => TRACES.some((trace) => `${relative(world.folder, path)}\n${readFileSync(path)}`.includes(trace)));

describe('the key', () => {
  let worlds: StandIn[] = [];
  afterEach(async () => {
    await Promise.all(worlds.map((world) => world.remove()));
    worlds = [];
  });

  const worldIn = async (plight: Plight, server: HostileServer) => {
    const world = await standIn({ env: { ...plight.env(server), GIT_CONFIG_NOSYSTEM: '1' } });
    worlds.push(world);
    execFileSync('git', ['init', '-q'], { cwd: world.folder });
    furnish(world);
    const planted = plight.planted?.(world) ?? {};
    for (const [path, text] of Object.entries(planted)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text.replace('"URL"', JSON.stringify(server.url)));
      chmodSync(path, 0o644);
    }
    if (plight.tracked) execFileSync('git', ['add', '-A'], { cwd: world.folder });
    return { world, planted: new Set(Object.keys(planted)) };
  };

  it('is looked for in every command there is', async () => {
    const world = await standIn();
    worlds.push(world);
    expect([...allCommands(world)].sort()).to.deep.equal(Object.keys(LINES).sort());
  });

  it('would be found, were it written anywhere', async () => {
    const world = await standIn();
    worlds.push(world);
    writeFileSync(join(world.folder, 'log.txt'), `key ${KEY}`);
    expect(filesWithTraces(world, new Set())).to.deep.equal([join(world.folder, 'log.txt')]);
  });

  for (const plight of PLIGHTS)
    it(`is never shown or written: ${plight.name}`, async () => {
      const server = await startHostileServer(plight.fault ?? 'silent');
      try {
        const { world, planted } = await worldIn(plight, server);
        for (const [name, line] of Object.entries(LINES)) {
          const at = line.indexOf('--') === -1 ? line.length : line.indexOf('--');
          const argv = [...line.slice(0, at), '--timeout', '0.1', ...(plight.words ?? []), ...line.slice(at)];
          for (const json of [[], ['--json']]) {
            const { out, err } = await runIn(world, ...json, ...argv);
            for (const trace of TRACES) expect(`${out}\n${err}`, `${name} ${json}`).to.not.contain(trace);
          }
          expect(filesWithTraces(world, planted), name).to.deep.equal([]);
        }
        expect(server.strayed()).to.deep.equal([]);
        if (plight.keeps) expect(readdirSync(spoolFolder(world)), 'kept').to.have.length.above(2);
      } finally {
        await server.stop();
      }
    });
});
