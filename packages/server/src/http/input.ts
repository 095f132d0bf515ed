import type { Operation } from '@shipworthy/client/contract';
import type { Fault } from '@shipworthy/domain';
import { withoutNulls } from './absent-members.js';
import { createBatchReader } from './batch.js';
import { bodyFormat, bodyText, hasBody, readBody } from './body.js';
import type { BodyRoom } from './body-room.js';
import { type Exchange, queryOf } from './exchange.js';
import { versionDemanded } from './if-match.js';
import { parseJson } from './json-text.js';
import { faulty, Problem } from './problem.js';
import { createQueryReader } from './query.js';
import { type Check, checkOf } from './validation.js';

/** Largest body where the operation says nothing, in bytes. */
const BODY_LIMIT = 65_536;

export interface ReadInput {
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: Buffer;
  readonly ifMatch: number | null;
  /** Whether the body has to be compared with the record that is stored, which is to be done before it is checked. */
  readonly isSentBack: boolean;
}

const NOTHING = Buffer.alloc(0);
const NO_BODY = { value: undefined, faults: [] as readonly Fault[], raw: NOTHING };
type BodyRead = { readonly value: unknown; readonly faults: readonly Fault[]; readonly raw: Buffer };

const createBodyReader = (operation: Operation, check: Check, room: BodyRoom) => {
  const { body: schema, bodyMode, bodyLimit = BODY_LIMIT, bodyTypes } = operation;
  const creates = operation.method === 'POST' && (operation.success.status === 201 || bodyMode === 'batch');
  const record = bodyMode === 'batch' ? schema?.items : schema;
  const meant = creates && record ? withoutNulls(record) : (value: unknown) => value;
  const batch = schema && bodyMode === 'batch' ? createBatchReader(schema, check, meant) : null;
  return async (exchange: Exchange): Promise<BodyRead> => {
    const { request } = exchange;
    if (!hasBody(request)) {
      if (bodyMode === 'optional') return NO_BODY;
      throw new Problem('malformed-json', 'A JSON body is needed; there is none.');
    }
    const format = bodyFormat(request, batch !== null, bodyTypes);
    const raw = await readBody(request, bodyLimit, (bytes) => room.take(exchange, bytes));
    if (raw.length === 0 && bodyMode === 'optional') return NO_BODY;
    if (bodyMode === 'raw') return { ...NO_BODY, raw };
    if (batch !== null) return { value: batch(raw, format), faults: [], raw };
    const sent = parseJson(bodyText(raw));
    if (bodyMode === 'foreign') return { value: sent, faults: [], raw };
    const value = meant(sent);
    return { value, faults: check(value), raw };
  };
};

const NO_QUERY = { type: 'object', additionalProperties: false } as const;

/**
 * Reads and checks what an operation takes: body first (415, 413, 400), then the faults of query and body together (422),
 * then `If-Match` (428; a mismatch is the use case's to find). The faults of a body that is `sentBack` are not looked at.
 */
export const createInputReader = (
  operation: Operation,
  room: BodyRoom,
  sentBack: (body: unknown) => boolean = () => false,
) => {
  const { query, body, bodyMode, ifMatch } = operation;
  const readQuery = createQueryReader(query, checkOf(query ?? NO_QUERY));
  const bodySchema = bodyMode === 'batch' ? body?.items : body;
  const readBodyOf = bodySchema && createBodyReader(operation, checkOf(bodySchema), room);
  const check = ({ request }: Exchange, reading: BodyRead): ReadInput => {
    const asked = readQuery(queryOf(request.url ?? ''));
    const isSentBack = sentBack(reading.value);
    const faults = isSentBack ? asked.faults : [...asked.faults, ...reading.faults];
    if (faults.length > 0) throw faulty(faults);
    const version = ifMatch ? versionDemanded(request.headers['if-match'], ifMatch === 'required') : null;
    return { query: asked.value, body: reading.value, raw: reading.raw, ifMatch: version, isSentBack };
  };
  return (exchange: Exchange): ReadInput | Promise<ReadInput> =>
    readBodyOf ? readBodyOf(exchange).then((reading) => check(exchange, reading)) : check(exchange, NO_BODY);
};
