// Baseline: a bare Koa that answers 201 to everything, on the port given in the first argument.
import Koa from 'koa';

const app = new Koa();
app.use((context) => {
  context.status = 201;
  context.body = { data: {} };
});
const server = app.listen(Number(process.argv[2]), '127.0.0.1');
server.keepAliveTimeout = 60_000;
