import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '@shipworthy/domain';

/** A server on 127.0.0.1 that behaves as a test says. */
export const oddServer = async (
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<{ readonly url: URL; readonly paths: readonly string[]; close(): Promise<void> }> => {
  const paths: string[] = [];
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(request, response, paths.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    paths,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** The refusal that a promise ends in. */
export const refusalIn = async (promise: Promise<unknown>): Promise<DomainError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  throw new Error('no refusal', { cause: error });
};
