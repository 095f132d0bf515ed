/** What the server answers; the body goes out as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const missing = (what: string): Answer => ({ status: 404, body: { message: `404 ${what} Not Found` } });
export const refused = (status: number, error: string, description = error): Answer => ({
  status,
  body: { error, error_description: description },
});
