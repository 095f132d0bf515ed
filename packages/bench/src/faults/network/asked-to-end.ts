import { setTimeout as pause } from 'node:timers/promises';
import type { StandingServer } from '../../subject/shipworthy.js';
import { type FaultLine, holds, rarely, tookAtMost } from '../fault-programme.js';
import { type Crew, startCrew, type Try } from '../reporters/crew.js';
import type { Scene } from '../reporters/scene.js';

export const REPORTERS = 16;
const EXIT_AIM_MS = 20_000;
const WORK_MS = 500;

const RESET =
  'A connection that reaches the system in the moment in which listening ends is reset by it, and so is one that a caller kept and uses in the moment in which the server closes it as idle: in HTTP/1.1 nobody can tell the other side in time. Nothing is lost, since the key of the report makes it safe to send again, as the client and the command do. A balancer that stops sending before the signal comes (`deploy/helm` waits for that) leaves no such moment.';

const detailOf = (body: string): string => /"detail":"([^"]*)"/.exec(body)?.[1] ?? body.slice(0, 200);

/**
 * Asks the servers to end (SIGTERM), one after the other, while they are all reported to, and starts each again. Nobody
 * stands before them who would know: a caller that is refused a connection goes to the next one, as a balancer would.
 */
export const askToEnd = async (
  servers: readonly StandingServer[],
  scene: Scene,
  times: number,
): Promise<{ readonly lines: readonly FaultLine[]; readonly crew: Crew }> => {
  const [failed, reset]: [string[], string[]] = [[], []];
  let answered = 0;
  const heard = ({ asking, reply, failure }: Try): void => {
    const called = (how: string | undefined) => `${asking.method} ${asking.path}: ${how}`;
    if (reply !== null) answered += 1;
    else if (failure?.code === 'ECONNRESET') reset.push(called(failure.message));
    else if (failure?.isRefused !== true) failed.push(called(failure?.message));
    if (reply !== null && reply.status >= 400) failed.push(called(`${reply.status} ${detailOf(reply.body)}`));
  };
  const crew = startCrew({
    scene,
    ports: servers.map(({ port }) => port),
    reporters: REPORTERS,
    patienceMs: 30_000,
    pauseMs: 5,
    heard,
  });
  let [longest, unclean] = [0, 0];
  for (let time = 0; time < times; time += 1) {
    const server = servers[time % servers.length];
    if (server === undefined) throw new Error('There is no server.');
    await pause(WORK_MS);
    const askedAt = performance.now();
    if ((await server.end('SIGTERM')) !== 0) unclean += 1;
    longest = Math.max(longest, performance.now() - askedAt);
    await server.start();
  }
  await pause(WORK_MS);
  await crew.stop(30_000);
  const asked = answered + failed.length + reset.length;
  const found = (those: readonly string[]) =>
    `${those.length} of ${asked}${those[0] === undefined ? '' : ` (${those[0]})`}`;
  return {
    crew,
    lines: [
      holds(
        `SIGTERM under load, ${times} times: failed requests`,
        found(failed),
        '0',
        failed.length === 0 && answered > 0,
      ),
      rarely('SIGTERM under load: connections reset before an answer', found(reset), '0', reset.length === 0, RESET),
      holds('SIGTERM under load: ended with another code than 0', `${unclean}`, '0', unclean === 0),
      tookAtMost('SIGTERM under load: until the process is gone', longest, EXIT_AIM_MS),
    ],
  };
};
