import type { HookFailure } from '@shipworthy/domain';

const UNRESOLVED = /^(ENOTFOUND|EAI_\w+|ENODATA)$/;
const CUT = /^(ECONNRESET|EPIPE|ECONNABORTED|HPE_\w+)$/;
const SECURE = /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/;

/** What an error of a connection means. */
export const failureOf = (error: unknown, signal: AbortSignal): HookFailure => {
  if (signal.aborted) return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (UNRESOLVED.test(code)) return 'unresolved';
  if (CUT.test(code)) return 'cut';
  return SECURE.test(code) ? 'secure_connection' : 'unreachable';
};

/** The milliseconds a `Retry-After` asks for, as seconds or as a date; null: it does not say. */
export const retryAfterOf = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
};
