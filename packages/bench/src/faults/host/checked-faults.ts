import type { Host } from '../../host/host-process.js';
import { type FaultLine, holds, tookAtMost } from '../fault-programme.js';
import { checkConnection } from './connection-check.js';
import type { HostFault } from './host-faults.js';

const ANSWERS_WITHIN_MS = 5_000;
/** Those who look at the same moment share one person's connection. */
const AT_ONCE = 3;

interface Finding {
  readonly title: string;
  readonly words: readonly string[];
  readonly longest: number;
  readonly isWrong: boolean;
  readonly after: string;
}

const faultOnce = async (host: Host, port: number, key: string, { title, fault }: HostFault): Promise<Finding> => {
  const befalls = fault();
  if (befalls === 'shut') await host.shut();
  else await host.inject(befalls);
  const checks = await Promise.all(Array.from({ length: AT_ONCE }, () => checkConnection(port, key)));
  if (befalls === 'shut') await host.open();
  else await host.calm();
  const after = await checkConnection(port, key);
  return {
    title,
    words: checks.map(({ word }) => word),
    longest: Math.max(...checks.map(({ milliseconds }) => milliseconds)),
    isWrong: !checks.every(({ status, word, comesAgain }) => status === 503 && word !== 'rejected' && comesAgain),
    after: after.word,
  };
};

/** What was answered to checks under each of the faults, and right after it. */
export const checkUnderFaults = async (
  host: Host,
  port: number,
  key: string,
  faults: readonly HostFault[],
): Promise<{ readonly lines: readonly FaultLine[]; readonly remark: string }> => {
  const found: Finding[] = [];
  for (const fault of faults) found.push(await faultOnce(host, port, key, fault));
  const told = (titles: readonly string[], otherwise: string) => (titles.length === 0 ? otherwise : titles.join('; '));
  const wrong = found.filter(({ isWrong }) => isWrong).map(({ title, words }) => `${title}: ${words.join(', ')}`);
  const stuck = found.filter(({ after }) => after !== 'ok').map(({ title, after }) => `${title}: ${after}`);
  const kinds = new Set(faults.map(({ title }) => title)).size;
  const checks = `${found.length * AT_ONCE} checks under ${kinds} faults`;
  const words = [...new Set(found.flatMap((finding) => finding.words))];
  return {
    lines: [
      holds(
        checks,
        told(wrong, 'all unavailable'),
        '503 with its cause and Retry-After, never rejected',
        wrong.length === 0,
      ),
      tookAtMost(`${checks}: the longest`, Math.max(...found.map(({ longest }) => longest)), ANSWERS_WITHIN_MS),
      holds('The check right after each fault', told(stuck, 'ok'), 'ok', stuck.length === 0),
      holds(
        'The grant was shown to another origin',
        (await host.leaked()) ? 'yes' : 'no',
        'no',
        !(await host.leaked()),
      ),
    ],
    remark: `Causes that were told: ${words.join(', ')}.`,
  };
};
