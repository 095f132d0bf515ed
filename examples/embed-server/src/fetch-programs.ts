import type { Shipworthy } from '@shipworthy/server';

/** What a route file of Next.js exports: `app/shipworthy/[[...path]]/route.ts`. */
export const routeHandlers = (shipworthy: Shipworthy) => {
  const handle = (request: Request): Promise<Response> => shipworthy.fetch(request);
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle };
};

/** The server that `Bun.serve` hands over with a request. */
interface BunServer {
  requestIP(request: Request): { readonly address: string } | null;
}

/** The `fetch` of `Bun.serve`. */
export const bunHandler =
  (shipworthy: Shipworthy) =>
  (request: Request, server: BunServer): Promise<Response> =>
    shipworthy.fetch(request, { address: server.requestIP(request)?.address });

/** The connection that `Deno.serve` hands over with a request. */
interface DenoConnection {
  readonly remoteAddr: { readonly hostname: string };
}

/** The handler of `Deno.serve`. */
export const denoHandler =
  (shipworthy: Shipworthy) =>
  (request: Request, { remoteAddr }: DenoConnection): Promise<Response> =>
    shipworthy.fetch(request, { address: remoteAddr.hostname });
