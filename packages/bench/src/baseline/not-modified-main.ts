// Baseline: a bare Koa that answers every request with the same 304, the headers given as JSON in the first argument.
import Koa from 'koa';

const headers = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const app = new Koa();
app.use((context) => {
  context.status = 304;
  context.set(headers);
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
server.keepAliveTimeout = 60_000;
