import Koa from 'koa';

// Baselines: a bare Koa that answers every request in one way. Arguments: the way, the port (0: any that is free), and for
// `not-modified` the headers as JSON. Tells its parent the port.

const [way = '', port = '0', headers = '{}'] = process.argv.slice(2);

const WAYS: Readonly<Record<string, Koa.Middleware>> = {
  /** 201 with the same short body. */
  created: (context) => {
    context.status = 201;
    context.body = { data: {} };
  },
  /** 201 with the body it is sent, parsed and written as JSON again. */
  echo: async (context) => {
    const chunks: Buffer[] = [];
    for await (const chunk of context.req) chunks.push(chunk as Buffer);
    context.status = 201;
    context.body = { data: JSON.parse(Buffer.concat(chunks).toString()) as unknown };
  },
  /** 304 with the headers given. */
  'not-modified': (() => {
    const given = JSON.parse(headers) as Record<string, string>;
    return (context) => {
      context.status = 304;
      context.set(given);
    };
  })(),
};

const answer = WAYS[way];
if (answer === undefined) throw new Error(`There is no way to answer called ${way}.`);
const app = new Koa();
app.use(answer);
const server = app.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
server.keepAliveTimeout = 60_000;
