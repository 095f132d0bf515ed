import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';

/** Turns a body into the text of a baseline's answer. */
type Answerer = (body: Record<string, unknown>) => Promise<string>;

const send = (response: ServerResponse, status: number, text: string): void => {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
};

/** Listens on a free port of 127.0.0.1 with nothing but node:http, answers 201 or 500 and tells the parent its port. */
export const serveBare = (answer: Answerer): void => {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      answer(JSON.parse(text) as Record<string, unknown>).then(
        (reply) => send(response, 201, reply),
        (error: unknown) => send(response, 500, String(error)),
      );
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' && address ? address.port : 0);
  });
};

/** The columns of a deployment, the same as the service's own; no index but the primary key, no foreign key. */
export const DEPLOYMENT_COLUMNS = [
  'id',
  'project_id',
  'app_name',
  'environment',
  'commit_sha',
  'version',
  'deployed_by',
  'status',
  'url',
  'started_at',
  'finished_at',
  'duration_seconds',
  'created_at',
  'external_id',
  'external_fingerprint',
  'is_return',
  'late',
] as const;

const PROJECT = randomUUID();

/** The values of one row in the order of the columns; moments as `moment` writes them. */
export const deploymentValues = <Moment>(
  body: Record<string, unknown>,
  moment: (milliseconds: number) => Moment,
): readonly [string, ...unknown[]] => {
  const now = moment(Date.now());
  return [
    randomUUID(),
    PROJECT,
    body.app_name,
    body.environment,
    body.commit_sha,
    body.version ?? null,
    body.deployed_by ?? null,
    body.status,
    body.url ?? null,
    now,
    body.status === 'started' ? null : now,
    body.duration_seconds ?? null,
    now,
    null,
    null,
    null,
    0,
  ];
};
