import type { Shipworthy } from './shipworthy.js';

type Json = Readonly<Record<string, unknown>>;

/** Somebody with a browser session, who sets up what is measured. */
export interface Person {
  /** Posts a body and returns `data` of the answer. @throws Error on any answer but 2xx */
  post(path: string, body: Json): Promise<Json>;
}

const answered = async (path: string, response: Response): Promise<Json> => {
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} was answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: Json }).data;
};

/** Sets the server up with its first administrator and stays signed in. */
export const firstPerson = async ({ port, setupToken }: Shipworthy): Promise<Person> => {
  const base = `http://127.0.0.1:${port}`;
  const send = (path: string, body: Json, cookie: string): Promise<Response> =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base, ...(cookie === '' ? {} : { cookie }) },
      body: JSON.stringify(body),
    });
  const account = { email: 'ada@example.org', name: 'Ada', password: 'measured twice, cut once' };
  const setUp = await send('/api/setup', { setup_token: setupToken, ...account }, '');
  await answered('/api/setup', setUp.clone());
  const cookie = setUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  return { post: async (path, body) => answered(path, await send(path, body, cookie)) };
};
