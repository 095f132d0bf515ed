/** What is answered to a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Ready to be sent; '' for no body. */
  readonly body: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const DOCUMENTATION = 'https://docs.github.com/rest';

export const jsonReply = (status: number, json: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': JSON_TYPE, ...headers },
  body: JSON.stringify(json),
});

/** A refusal as the interface words them. */
export const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  jsonReply(status, { message, documentation_url: DOCUMENTATION, status: String(status) }, headers);

export const NOT_FOUND = refusal(404, 'Not Found');
export const EMPTY: Reply = { status: 204, headers: {}, body: '' };

/** A page for people. */
export const pageReply = (status: number, title: string, inside = ''): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${inside}</html>`,
});
