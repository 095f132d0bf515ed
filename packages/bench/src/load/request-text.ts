export interface RequestParts {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** ASCII. */
  readonly body?: string;
  /** How much longer the body is on the wire than here, because a placeholder stands in it. */
  readonly bodyGrowth?: number;
}

/** A request as it goes over the wire. */
export const requestText = ({ method, path, headers, body, bodyGrowth = 0 }: RequestParts): string => {
  const sized = body === undefined ? headers : { ...headers, 'Content-Length': String(body.length + bodyGrowth) };
  const lines = Object.entries({ Host: '127.0.0.1', ...sized }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
};
