import type { ReleaseRevision } from '@shipworthy/domain';
import type { Ports } from '@shipworthy/domain/ports';
import { expect } from 'chai';
import type { InOneTurn } from '../src/http/route.js';
import { createReportCache, type MadeReport } from '../src/report-cache.js';
import { createTestClock } from './harness/test-clock.js';

type MakeReport = () => Promise<MadeReport>;

describe('createReportCache', () => {
  const scene = (mostCharacters?: number) => {
    const clock = createTestClock();
    const state = { revision: 1, made: 0, until: null as number | null };
    const lookups = { revision: async () => ({ revision: state.revision, changedAt: 0 }) };
    const cache = createReportCache(lookups, clock.read, mostCharacters);
    const make = async () => {
      state.made += 1;
      return { body: { made: state.made }, revision: state.revision, until: state.until };
    };
    const read = (releaseId: string, view: string, from: MakeReport, seen?: ReleaseRevision) =>
      cache.read(releaseId, view, { make: from, inOneTurn: (work) => work({} as Ports) }, seen);
    return { clock, state, cache, make, read };
  };

  it('makes a report anew only when the release changed', async () => {
    const { state, make, read } = scene();
    const first = await read('r', 'full', make);
    expect(first.text).to.equal('{"made":1}');
    expect(await read('r', 'full', make)).to.equal(first);
    state.revision = 2;
    const second = await read('r', 'full', make);
    expect(second.text).to.equal('{"made":2}');
    expect(second.etag).to.not.equal(first.etag);
    await read('r', 'gate', make);
    await read('s', 'full', make);
    expect(state.made).to.equal(4);
  });

  it('trusts a revision that was seen just now, and asks for none then', async () => {
    const { state, make, read } = scene();
    const first = await read('r', 'full', make, { revision: 1, changedAt: 0 });
    state.revision = 2;
    expect(await read('r', 'full', make, { revision: 1, changedAt: 0 })).to.equal(first);
    expect(await read('r', 'full', make, { revision: 2, changedAt: 0 })).to.not.equal(first);
  });

  it('makes it anew when its time has passed', async () => {
    const { clock, state, make, read } = scene();
    state.until = clock.read() + 1000;
    await read('r', 'full', make);
    clock.pass(999);
    await read('r', 'full', make);
    expect(state.made).to.equal(1);
    clock.pass(1);
    await read('r', 'full', make);
    expect(state.made).to.equal(2);
  });

  it('makes a report once for all requests of one revision, and never shares it with one that saw a newer revision', async () => {
    const { state, make, read } = scene();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = async () => {
      const made = await make();
      await gate;
      return made;
    };
    const old = [read('r', 'full', slow), read('r', 'full', slow)];
    await new Promise((resolve) => setImmediate(resolve));
    expect(state.made).to.equal(1);
    state.revision = 2;
    const fresh = await read('r', 'full', make);
    expect(fresh.text).to.equal('{"made":2}');
    release();
    const [one, two] = await Promise.all(old);
    expect(one).to.equal(two);
    expect(await read('r', 'full', make)).to.equal(fresh);
  });

  it('waits for the report of another caller outside of its own turn', async () => {
    const { cache, make } = scene();
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slow = async () => {
      await held;
      return make();
    };
    const turnEnded: string[] = [];
    const reading = (name: string, begin: Promise<void>) => {
      const inOneTurn: InOneTurn = async (work) => {
        await begin;
        const result = await work({} as Ports);
        turnEnded.push(name);
        return result;
      };
      return cache.read('r', 'full', { make: slow, inOneTurn });
    };
    let begin: () => void = () => undefined;
    const later = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const both = [reading('first', Promise.resolve()), reading('second', later)];
    await new Promise((resolve) => setImmediate(resolve));
    begin();
    await new Promise((resolve) => setImmediate(resolve));
    expect(turnEnded, 'while the first one reads').to.deep.equal(['second']);
    end();
    const [one, other] = await Promise.all(both);
    expect(other).to.equal(one);
  });

  it('takes a newer report than it saw, which is as good', async () => {
    const { state, make, read } = scene();
    state.revision = 2;
    const newer = await read('r', 'full', make);
    expect(await read('r', 'full', make, { revision: 1, changedAt: 0 })).to.equal(newer);
  });

  it('keeps nothing of a failure, and reports of a bounded length together, however few they are', async () => {
    const { state, cache, make, read } = scene('{"made":1}{"made":2}'.length);
    const fails = () => Promise.reject(new Error('no'));
    expect(await read('r', 'full', fails).catch((error: Error) => error.message)).to.equal('no');
    for (const release of ['a', 'b', 'c']) await read(release, 'full', make);
    expect(cache.size).to.equal(2);
    const long = async () => ({ body: 'a'.repeat(15), revision: state.revision, until: null });
    await read('d', 'full', long);
    expect(cache.size).to.equal(1);
    await read('e', 'full', async () => ({ body: 'a'.repeat(30), revision: state.revision, until: null }));
    expect(cache.size, 'one that is too long is answered and not kept').to.equal(0);
  });
});
