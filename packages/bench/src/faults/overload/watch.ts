import { quantile } from '../../measure/median.js';
import type { Project } from '../../subject/project.js';
import { readinessPath } from '../../subject/requests.js';

/** What somebody saw who went on asking at a steady rate, each time over whatever connection was free or a new one. */
export interface Seen {
  readonly asked: number;
  /** Answers by status; 0 stands for none. */
  readonly answers: Readonly<Record<number, number>>;
  /** Milliseconds to an answer of 2xx. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

export interface Watch {
  /** Waits for what is under way. */
  end(): Promise<Seen>;
}

const READS_PER_SECOND = 20;
const PATIENCE_MS = 30_000;

/** Reads a project's report 20 times a second, whether the answers before are there or not. */
export const watchReport = (port: number, project: Project, key: string): Watch => {
  const url = `http://127.0.0.1:${port}${readinessPath(project)}`;
  const headers = { authorization: `Bearer ${key}` };
  const answers: Record<number, number> = {};
  const took: number[] = [];
  const underWay = new Set<Promise<void>>();
  const ask = async (): Promise<void> => {
    const begin = performance.now();
    const status = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    answers[status] = (answers[status] ?? 0) + 1;
    if (status >= 200 && status < 300) took.push(performance.now() - begin);
  };
  const timer = setInterval(() => {
    const asking: Promise<void> = ask().finally(() => underWay.delete(asking));
    underWay.add(asking);
  }, 1_000 / READS_PER_SECOND);
  return {
    end: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      const asked = Object.values(answers).reduce((sum, count) => sum + count, 0);
      const longest = took.reduce((most, ms) => Math.max(most, ms), 0);
      return { asked, answers, p50: quantile(took, 0.5), p99: quantile(took, 0.99), longest };
    },
  };
};
