import type { StandingServer } from '../../subject/shipworthy.js';
import { type FaultLine, holds, tookAtMost } from '../fault-programme.js';
import { type Crew, startCrew, type Try } from '../reporters/crew.js';
import type { Scene } from '../reporters/scene.js';

const REPORTERS = 16;
const EXIT_AIM_MS = 20_000;
const WORK_MS = 500;

const detailOf = (body: string): string => /"detail":"([^"]*)"/.exec(body)?.[1] ?? body.slice(0, 200);

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, WORK_MS));

/**
 * Asks the servers to end (SIGTERM), one after the other, while they are all reported to, and starts each again. Nobody
 * stands before them who would know: a caller that is refused a connection goes to the next one, as a balancer would.
 */
export const askToEnd = async (
  servers: readonly StandingServer[],
  scene: Scene,
  times: number,
): Promise<{ readonly lines: readonly FaultLine[]; readonly crew: Crew }> => {
  const failed: string[] = [];
  let answered = 0;
  const heard = ({ asking, reply, failure }: Try): void => {
    if (reply !== null) answered += 1;
    else if (failure?.isRefused !== true) failed.push(`${asking.method} ${asking.path}: ${failure?.message}`);
    if (reply !== null && reply.status >= 400)
      failed.push(`${asking.method} ${asking.path}: ${reply.status} ${detailOf(reply.body)}`);
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
    await pause();
    const askedAt = performance.now();
    if ((await server.end('SIGTERM')) !== 0) unclean += 1;
    longest = Math.max(longest, performance.now() - askedAt);
    await server.start();
  }
  await pause();
  await crew.stop(30_000);
  const found = `${failed.length} of ${answered + failed.length}${failed[0] === undefined ? '' : ` (${failed[0]})`}`;
  return {
    crew,
    lines: [
      holds(`SIGTERM under load, ${times} times: failed requests`, found, '0', failed.length === 0 && answered > 0),
      holds('SIGTERM under load: ended with another code than 0', `${unclean}`, '0', unclean === 0),
      tookAtMost('SIGTERM under load: until the process is gone', longest, EXIT_AIM_MS),
    ],
  };
};
