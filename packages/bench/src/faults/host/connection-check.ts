/** What a check of the connection was answered. */
export interface Checked {
  readonly status: number;
  /** `ok`, `rejected`, or why the host is unavailable. */
  readonly word: string;
  /** Whether a refusal says when to come again. */
  readonly comesAgain: boolean;
  readonly milliseconds: number;
}

interface CheckBody {
  readonly status?: unknown;
  readonly cause?: unknown;
}

/** Asks the server whether the connection to the host still works. */
export const checkConnection = async (port: number, key: string): Promise<Checked> => {
  const begin = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/api/settings/github/check`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { status, cause } = (await response.json()) as CheckBody;
  return {
    status: response.status,
    word: response.ok ? String(status) : String(cause),
    comesAgain: Number(response.headers.get('retry-after') ?? 0) >= 1,
    milliseconds: performance.now() - begin,
  };
};
