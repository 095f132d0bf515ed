import { expect } from 'chai';
import { nameResolver, type Resolve } from '../../src/hook-sender/host-names.js';

const UNKNOWN = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });

/** Sources that note what they are asked for; those of the system answer when the test says so. */
const sources = (known: Readonly<Record<string, string>> = {}) => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const servers: Resolve = async (host) => {
    asked.push(`servers ${host}`);
    const address = known[host];
    if (address === undefined) throw UNKNOWN;
    return [address];
  };
  const system: Resolve = (host) => {
    asked.push(`system ${host}`);
    return new Promise((resolve) => answers.push(() => resolve([`10.0.0.${host.length}`])));
  };
  return { asked, answers, servers, system };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('looking up the names of receivers', () => {
  it('asks the name servers, and the system for what they do not know', async () => {
    const { asked, answers, ...given } = sources({ 'hooks.example': '93.184.216.34' });
    const resolve = nameResolver(() => false, given);
    expect(await resolve('hooks.example')).to.deep.equal(['93.184.216.34']);
    const local = resolve('local');
    await turn();
    expect(asked).to.deep.equal(['servers hooks.example', 'servers local', 'system local']);
    for (const answer of answers) answer();
    expect(await local).to.deep.equal(['10.0.0.5']);
  });

  it('asks the system for one name at a time, and for none after its caller stopped waiting', async () => {
    const { asked, answers, ...given } = sources({ 'hooks.example': '93.184.216.34' });
    const resolve = nameResolver(() => false, given);
    const gone = new AbortController();
    const first = resolve('a');
    const second = resolve('bb', gone.signal).catch((error: NodeJS.ErrnoException) => error.code);
    const third = resolve('ccc');
    await turn();
    expect(asked.filter((one) => one.startsWith('system'))).to.deep.equal(['system a']);
    expect(await resolve('hooks.example'), 'others wait for none of them').to.deep.equal(['93.184.216.34']);
    gone.abort();
    answers.shift()?.();
    expect(await first).to.deep.equal(['10.0.0.1']);
    expect(await second).to.equal('ENOTFOUND');
    await turn();
    expect(asked.filter((one) => one.startsWith('system'))).to.deep.equal(['system a', 'system ccc']);
    answers.shift()?.();
    expect(await third).to.deep.equal(['10.0.0.3']);
  });

  it('asks for a name once at a time, and anew once it was answered', async () => {
    const { asked, answers, ...given } = sources();
    const resolve = nameResolver(() => false, given);
    const all = Promise.all([resolve('a'), resolve('a'), resolve('a')]);
    await turn();
    answers.shift()?.();
    expect(await all).to.deep.equal([['10.0.0.1'], ['10.0.0.1'], ['10.0.0.1']]);
    const again = resolve('a');
    await turn();
    answers.shift()?.();
    await again;
    expect(asked).to.deep.equal(['servers a', 'system a', 'servers a', 'system a']);
  });

  it('asks the system at once for what the operator named', async () => {
    const { asked, answers, ...given } = sources();
    const resolve = nameResolver((host) => host === 'inside', given);
    const held = resolve('held');
    await turn();
    const inside = resolve('inside');
    await turn();
    expect(asked).to.deep.equal(['servers held', 'system held', 'system inside']);
    for (const answer of answers) answer();
    expect([await held, await inside]).to.deep.equal([['10.0.0.4'], ['10.0.0.6']]);
  });

  it('goes on after the system found nothing', async () => {
    const failing: Resolve = () => Promise.reject(UNKNOWN);
    const resolve = nameResolver(() => false, { servers: failing, system: failing });
    for (const host of ['a', 'b']) expect(await resolve(host).catch((error: unknown) => error)).to.equal(UNKNOWN);
  });
});
