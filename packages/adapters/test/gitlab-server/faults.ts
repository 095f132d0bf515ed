import type { ServerResponse } from 'node:http';

/** What can go wrong with an answer. */
export type Fault =
  /** Nothing comes back; the connection stays open. */
  | { readonly kind: 'silent' }
  /** The answer comes, after a while. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The answer begins and does not go on. */
  | { readonly kind: 'stalled' }
  /** The connection ends before an answer. */
  | { readonly kind: 'reset' }
  /** The answer ends in its middle. */
  | { readonly kind: 'cut' }
  /** JSON by its type, but not to its end. */
  | { readonly kind: 'half-json' }
  /** A page for people. */
  | { readonly kind: 'page'; readonly status: number }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'huge' }
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    };

const json = { 'content-type': 'application/json' };

/** Lets an answer go wrong; a slow one goes right in the end, by the other function. */
export const goWrong = (fault: Fault, response: ServerResponse, goRight: () => void): void => {
  switch (fault.kind) {
    case 'silent':
      return;
    case 'slow':
      setTimeout(goRight, fault.ms).unref();
      return;
    case 'stalled':
      response.writeHead(200, json).write('[');
      return;
    case 'reset':
      response.destroy();
      return;
    case 'cut':
      response.writeHead(200, { ...json, 'content-length': '1000' });
      response.write('[{"id":', () => response.destroy());
      return;
    case 'half-json':
      response.writeHead(200, json).end('[{"id":');
      return;
    case 'page':
      response.writeHead(fault.status, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
      return;
    case 'redirect':
      response.writeHead(302, { location: fault.to }).end();
      return;
    case 'huge': {
      response.writeHead(200, json);
      const block = `"${'x'.repeat(1024 * 1024)}",`;
      for (let blocks = 0; blocks < 40; blocks += 1) response.write(block);
      response.end('""');
      return;
    }
    case 'json':
      response.writeHead(fault.status, { ...json, ...fault.headers }).end(JSON.stringify(fault.body));
  }
};
