import { quantile } from '../../measure/median.js';

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

export interface Watched {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly perSecond: number;
}

const PATIENCE_MS = 30_000;

/** Asks for an address again and again, whether the answers before are there or not. */
export const watch = ({ url, headers, perSecond }: Watched): Watch => {
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
  }, 1_000 / perSecond);
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
