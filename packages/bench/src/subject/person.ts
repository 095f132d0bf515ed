import type { RunningServer } from './shipworthy.js';

type Json = Readonly<Record<string, unknown>>;

/** A person with a browser session, who sets up what is measured. Methods return `data` of the body; any status but 2xx throws. */
export interface SignedInPerson {
  get<Data = Json>(path: string): Promise<Data>;
  post<Data = Json>(path: string, body: Json | readonly Json[]): Promise<Data>;
  put<Data = Json>(path: string, body: Json): Promise<Data>;
  /** The cookies of this person's browser. */
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  /** Goes to an address anywhere and follows redirects as a browser does: the session is shown to the server alone. */
  visit(address: string): Promise<void>;
}

const MOST_REDIRECTS = 10;

const answered = async <Data>(what: string, response: Response): Promise<Data> => {
  const text = await response.text();
  if (!response.ok) throw new Error(`${what} was answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: Data }).data;
};

const visitWith =
  (base: string, cookie: string) =>
  async (address: string): Promise<void> => {
    let url = new URL(address);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const headers = url.origin === base ? { cookie } : {};
      const response = await fetch(url, { redirect: 'manual', headers });
      const text = await response.text();
      if (response.ok) return;
      const to = response.headers.get('location');
      if (to === null) throw new Error(`${url.pathname} was answered ${response.status}: ${text}`);
      url = new URL(to, url);
    }
    throw new Error(`${address} leads in circles.`);
  };

/** Sets the server up with its first administrator and stays signed in. */
export const firstPerson = async ({ port, setupToken }: RunningServer): Promise<SignedInPerson> => {
  const base = `http://127.0.0.1:${port}`;
  const send = (method: string, path: string, body: Json | readonly Json[] | null, cookie: string): Promise<Response> =>
    fetch(`${base}${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: base, ...(cookie === '' ? {} : { cookie }) },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
  const account = { email: 'ada@example.org', name: 'Ada', password: 'measured twice, cut once' };
  const setUp = await send('POST', '/api/setup', { setup_token: setupToken, ...account }, '');
  await answered('POST /api/setup', setUp.clone());
  const cookie = setUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const asked = async <Data>(method: string, path: string, body: Json | readonly Json[] | null): Promise<Data> =>
    answered(`${method} ${path}`, await send(method, path, body, cookie));
  return {
    get: (path) => asked('GET', path, null),
    post: (path, body) => asked('POST', path, body),
    put: (path, body) => asked('PUT', path, body),
    cookies: cookie.split('; ').map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
    })),
    visit: visitWith(base, cookie),
  };
};
