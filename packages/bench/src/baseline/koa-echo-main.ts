// Baseline: a plain Koa that parses the body it is sent and answers it as JSON with 201. Tells its parent the port.
import Koa from 'koa';

const app = new Koa();
app.use(async (context) => {
  const chunks: Buffer[] = [];
  for await (const chunk of context.req) chunks.push(chunk as Buffer);
  context.status = 201;
  context.body = { data: JSON.parse(Buffer.concat(chunks).toString()) as unknown };
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
server.keepAliveTimeout = 60_000;
