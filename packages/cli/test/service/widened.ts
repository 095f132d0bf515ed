type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a later server could add to any object. */
const ADDED: Members = {
  added_later: { note: 'unknown', list: [{ deep: [1, null, 'x'] }], decision: 'soft_hold' },
  '"decision":"hold"': null,
  constructor: 'unknown',
};

/** Entries that a later server could add to lists whose members have words of their own. */
const FURTHER: Readonly<Record<string, unknown>> = {
  axes: {
    axis: 'security',
    state: 'measured',
    score: 50,
    weight: 0,
    facts: { findings: 2 },
    explanation: '2 findings',
  },
  reasons: {
    code: 'tests_gone',
    axis: 'security',
    actual: 1,
    required: 0,
    message: '1 test is gone',
    waived: true,
  },
  next_steps: { axis: 'security', action: 'fix_findings', count: 2, gain: null, message: 'Fix 2 findings' },
  silent_sources: {
    source: 'scans',
    last_at: '2026-01-01T00:00:00.000Z',
    limit_hours: 2,
    basis: 'calendar',
    since: '2026-01-01T02:00:00.000Z',
  },
  scopes: 'issues:write',
};

/** An answer as a later server could give it: every object at every depth holds more, and lists of named things an unknown one. */
export const widened = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) {
    const further = Object.hasOwn(FURTHER, name) ? [FURTHER[name]] : [];
    return [...value, ...further].map((one) => widened(one));
  }
  if (!isMembers(value)) return value;
  return { ...Object.fromEntries(Object.entries(value).map(([key, one]) => [key, widened(one, key)])), ...ADDED };
};

/** The text of an answer likewise; what is no JSON stays as it is. */
export const widenedText = (contentType: string, text: string): string =>
  /^application\/([\w.-]+\+)?json\b/.test(contentType) && text !== ''
    ? JSON.stringify(widened(JSON.parse(text)))
    : text;

/** A fetch whose answers are those of a later server. */
export const widenedFetch: typeof globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 204 || response.status === 304) return response;
  const text = widenedText(response.headers.get('content-type') ?? '', await response.text());
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return new Response(text, { status: response.status, headers });
};
