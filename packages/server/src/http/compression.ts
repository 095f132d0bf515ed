import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import compress from 'koa-compress';
import type { RequestStep } from './request.js';

/** Whether an `Accept` or `Accept-Encoding` header names the very type or coding, and does not forbid it. */
export const accepts = (header: string | undefined, name: string): boolean =>
  (header ?? '').split(',').some((part) => {
    const [named, weight = ''] = part.trim().split(';');
    return named?.trim() === name && !/q=0(\.0*)?$/.test(weight.trim());
  });

/** Shorter answers are sent as they are, in bytes. */
const COMPRESSED_FROM = 1_024;

/** How an answer is compressed, the better one first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

/** Types that compression makes shorter; fonts and images are compressed already. */
const COMPRESSIBLE = /^text\/|json$/;

const [zip, squeeze] = [promisify(gzip), promisify(brotliCompress)];
const CODE: { readonly [Name in Coding]: (bytes: Buffer) => Promise<Buffer> } = {
  br: (bytes) => squeeze(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: zip,
};

/** Compresses bytes that never change once for each coding: strangers may ask for them without a limit. */
const createLasting = () => {
  const known = new WeakMap<Buffer, { [Name in Coding]?: Promise<Buffer> }>();
  return (bytes: Buffer, coding: Coding): Promise<Buffer> => {
    const forms = known.get(bytes) ?? {};
    known.set(bytes, forms);
    forms[coding] ??= CODE[coding](bytes);
    return forms[coding];
  };
};

/**
 * Compresses answers for those who take them so: bytes once, texts each time. Their entity tags stay: they name the resource's
 * state, and no part of an answer is ever asked for by its place.
 */
export const compressAnswers = (): RequestStep => {
  const lasting = createLasting();
  const each: { readonly [Name in Coding]: RequestStep } = {
    br: compress({ threshold: COMPRESSED_FROM, gzip: false, deflate: false }),
    gzip: compress({ threshold: COMPRESSED_FROM, br: false, deflate: false }),
  };
  return (ctx, next) => {
    const taken = ctx.req.headers['accept-encoding'];
    // koa-compress would also choose one that is named only to be refused.
    const coding = CODINGS.find((one) => accepts(taken, one));
    if (coding === undefined) ctx.compress = false;
    return each[coding ?? 'gzip'](ctx, async () => {
      await next();
      const { body } = ctx;
      if (coding === undefined || !Buffer.isBuffer(body) || body.length < COMPRESSED_FROM) return;
      if (ctx.method === 'HEAD' || ctx.res.hasHeader('Content-Encoding')) return;
      if (!COMPRESSIBLE.test(ctx.response.type)) return;
      ctx.body = await lasting(body, coding);
      ctx.set('Content-Encoding', coding);
    });
  };
};
