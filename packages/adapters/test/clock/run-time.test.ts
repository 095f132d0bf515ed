import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect } from 'chai';
import { pause, runTime } from '../../src/clock/run-time.js';
import { turnedMachine } from './turned-machine.js';

describe('run time', () => {
  it('calls after so many milliseconds in which the process ran, once', async () => {
    const machine = turnedMachine();
    let calls = 0;
    machine.runTime.after(1000, () => {
      calls += 1;
    });
    await machine.run(975);
    expect(calls).to.equal(0);
    await machine.run(50);
    expect(calls).to.equal(1);
    await machine.run(5000);
    expect(calls).to.equal(1);
  });

  it('counts a process that was held up as one tick, however long that was', async () => {
    const machine = turnedMachine();
    let isCalled = false;
    machine.runTime.after(1000, () => {
      isCalled = true;
    });
    await machine.run(500);
    for (let times = 0; times < 10; times += 1) await machine.holdUp(60_000);
    expect(isCalled).to.equal(false);
    await machine.run(500);
    expect(isCalled).to.equal(true);
  });

  it('calls in the end where the process is held up all the time', async () => {
    const machine = turnedMachine();
    let isCalled = false;
    machine.runTime.after(1000, () => {
      isCalled = true;
    });
    for (let times = 0; times < 40; times += 1) await machine.holdUp(500);
    expect(isCalled).to.equal(true);
  });

  it('does not call at the tick that is late, but at the next one', async () => {
    const machine = turnedMachine();
    let isCalled = false;
    machine.runTime.after(20, () => {
      isCalled = true;
    });
    await machine.holdUp(3000);
    expect(isCalled).to.equal(false);
    await machine.run(25);
    expect(isCalled).to.equal(true);
  });

  it('does not call when stopped, not even by what is read at the end, and rests then', async () => {
    const machine = turnedMachine();
    let calls = 0;
    const call = (): void => {
      calls += 1;
    };
    const stops = [machine.runTime.after(100, call), machine.runTime.after(100, call)];
    stops[0]?.();
    const [answer, arrive] = arriving();
    void answer.then(stops[1]);
    await machine.run(75);
    // Due at the next tick; read after that tick and before its calls.
    const last = machine.run(25);
    arrive();
    await last;
    await machine.run(1000);
    expect([calls, machine.ticks]).to.deep.equal([0, false]);
  });

  it('counts what is begun when the process was held up from then on', async () => {
    const machine = turnedMachine();
    machine.runTime.after(10_000, () => {});
    let isCalled = false;
    await machine.holdUp(5000);
    machine.runTime.after(100, () => {
      isCalled = true;
    });
    await machine.run(75);
    expect(isCalled).to.equal(false);
    await machine.run(50);
    expect(isCalled).to.equal(true);
  });

  it('waits within a limit for work, and says what is late', async () => {
    const machine = turnedMachine();
    const { within } = machine.runTime;
    const late = (): never => {
      throw new Error('late');
    };
    expect(await within(100, Promise.resolve(7), late)).to.equal(7);
    const failing = within(100, Promise.reject(new Error('its own')), late).catch((error: Error) => error.message);
    expect(await failing).to.equal('its own');
    const silent = within(100, new Promise<never>(() => {}), late).catch((error: Error) => error.message);
    const replaced = within(100, new Promise<string>(() => {}), () => 'instead');
    await machine.run(150);
    expect([await silent, await replaced]).to.deep.equal(['late', 'instead']);
  });
});

const arriving = (): readonly [Promise<void>, () => void] => {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return [arrived, arrive];
};

describe('the run time of this process', () => {
  it('does not call a server silent whose answer arrived while the process was busy', async () => {
    const server = createServer((socket) => socket.write('here'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
    const answer = once(client, 'data').then(String);
    const silent = new Promise<string>(() => {});
    const [heard, unheard] = [answer, silent].map((work) => runTime.within(1000, work, () => 'silent'));
    await once(client, 'connect');
    // Accepted, answered and read in later turns than this one.
    for (const end = performance.now() + 3000; performance.now() < end; );
    expect(await heard).to.equal('here');
    expect(await unheard).to.equal('silent');
    client.destroy();
    server.close();
  });
});

describe('pause', () => {
  it('lets at least so much time pass', async () => {
    const began = performance.now();
    await pause(20);
    // Timers may fire up to a millisecond early.
    expect(performance.now() - began).to.be.at.least(18);
  });
});
