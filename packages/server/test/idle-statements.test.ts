import { knexStores, openDatabase } from '@shipworthy/adapters/knex';
import { expect } from 'chai';
import { createWorkWatch, type Loop, startHistory, startWebhooks, type WorkWatch } from '../src/background.js';
import { silentLog } from '../src/observability/log.js';
import { portsOn } from './harness/bare-service.js';
import { DATABASES, overheard } from './harness/overheard.js';
import { createTestClock } from './harness/test-clock.js';

const IDLE_MS = 5000;
/** How often each kind of work is asked for, or would be, before it is looked at what was sent: several turns of each loop. */
const TURNS = 20;

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

for (const [name, make] of Object.entries(DATABASES))
  describe(`an idle instance on ${name}`, () => {
    const time = { now: 0 };
    /** How often the loops of history and webhooks asked for work. No receiver is slow, so the slow lane asks for none. */
    const turns: number[] = [];
    let sent: string[];
    let watch: WorkWatch;
    let loops: readonly Loop[] = [];
    let remove: () => Promise<void>;

    before(async () => {
      const { url, drop } = await make();
      const opened = await openDatabase({ url });
      const heard = overheard(opened);
      sent = heard.sent;
      remove = async () => {
        await opened.close();
        await drop();
      };
      const clock = createTestClock();
      const ports = portsOn(clock, knexStores(heard.database));
      const { noteStored, asker } = createWorkWatch(IDLE_MS, () => time.now);
      watch = {
        noteStored,
        asker: () => {
          const ask = asker();
          const place = turns.push(0) - 1;
          return (question) => {
            turns[place] = (turns[place] ?? 0) + 1;
            return ask(question);
          };
        },
      };
      loops = [startHistory(ports, silentLog, watch, 1), ...startWebhooks(ports, silentLog, watch, 1)];
    });
    after(async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await remove();
    });

    /** Waits until both had so many turns more, and answers what was sent to the database in them. */
    const sentInTurns = async (): Promise<readonly string[]> => {
      sent.length = 0;
      const [history = 0, webhooks = 0] = turns;
      while (Math.min((turns[0] ?? 0) - history, (turns[1] ?? 0) - webhooks) < TURNS) await turn();
      return [...sent];
    };

    it('asks for work once at its start, and not again while it stores nothing', async () => {
      while (turns.slice(0, 2).some((count) => count < TURNS)) await turn();
      expect(sent).to.have.length(2);
      expect(await sentInTurns()).to.deep.equal([]);
    });

    it('asks once for trends and once for webhooks when it stored something', async () => {
      watch.noteStored();
      expect(await sentInTurns()).to.have.length(2);
      expect(await sentInTurns()).to.deep.equal([]);
    });

    it('asks for what others left behind every five seconds', async () => {
      time.now += IDLE_MS - 1;
      expect(await sentInTurns()).to.deep.equal([]);
      time.now += 1;
      expect(await sentInTurns()).to.have.length(2);
      expect(await sentInTurns()).to.deep.equal([]);
    });
  });

describe('createWorkWatch', () => {
  const none = async (): Promise<undefined> => undefined;

  it('asks again at once while there is work, and after a failure', async () => {
    const ask = createWorkWatch(IDLE_MS, () => 0).asker();
    let asked = 0;
    const found = async (): Promise<true> => {
      asked += 1;
      return true;
    };
    expect([await ask(found), await ask(found)]).to.deep.equal([true, true]);
    const failing = async (): Promise<never> => {
      throw new Error('away');
    };
    for (let times = 0; times < 2; times += 1)
      expect(await ask(failing).catch((error: Error) => error.message)).to.equal('away');
    expect(await ask(none)).to.equal(undefined);
    expect(await ask(found)).to.equal(undefined);
    expect(asked).to.equal(2);
  });

  it('asks again when something was stored while it asked', async () => {
    const watch = createWorkWatch(IDLE_MS, () => 0);
    const ask = watch.asker();
    let answer = (): void => undefined;
    const asking = ask<true>(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(undefined);
        }),
    );
    watch.noteStored();
    answer();
    expect(await asking).to.equal(undefined);
    expect(await ask(async () => true)).to.equal(true);
  });

  it('keeps kinds of work apart', async () => {
    const watch = createWorkWatch(IDLE_MS, () => 0);
    const [one, other] = [watch.asker(), watch.asker()];
    await one(none);
    expect(await other(async () => true)).to.equal(true);
    expect(await one(async () => true)).to.equal(undefined);
    watch.noteStored();
    expect(await one(async () => true)).to.equal(true);
  });
});
