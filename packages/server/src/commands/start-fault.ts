import { DomainError } from '@shipworthy/domain';
import type { Config } from '../config.js';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
/** What SQLite says of a disk that is full, or files that may not grow, while it makes its log. */
const NOT_KEPT = new Set(['SQLITE_IOERR', 'EIO', 'EFBIG']);
const NO_DATABASE = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT']);
const NOT_WRITABLE = new Set([
  ...['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR'],
  ...['SQLITE_CANTOPEN', 'SQLITE_READONLY'],
]);

/** A failure of the system, with what it concerns. */
interface SystemFault {
  readonly code: string;
  readonly path: string | undefined;
  readonly syscall: string | undefined;
}

/** The failure of the system that an error is or stands for; undefined: there is none. */
const systemFaultOf = (error: unknown): SystemFault | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const named = error instanceof DomainError ? error.details.reason : code;
  const isOfSystem = typeof named === 'string' && /^(E[A-Z]+|SQLITE_[A-Z]+)$/.test(named);
  return isOfSystem ? { code: named, path, syscall } : undefined;
};

const ofListening = (code: string, { host, port }: Config): string | undefined => {
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is taken by another program. End that program, or set PORT to another one (0: any).`;
  if (code === 'EACCES') return `This user may not open port ${port}. Set PORT to 1024 or more.`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host}. Set HOST to one it has.`;
  return undefined;
};

/** Whether the SQLite driver's native part is missing, or was made for another Node or machine. */
const isWithoutDriver = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_DLOPEN_FAILED' || error.message.startsWith('Could not locate the bindings file')) return true;
  return code === 'MODULE_NOT_FOUND' && error.message.includes("'sqlite3'");
};

/** What keeps the server from starting: the cause, what it concerns, and how to go on. */
export const startFault = (error: unknown, config: Config): string => {
  const said = error instanceof Error ? error.message : String(error);
  if (isWithoutDriver(error))
    return `SQLite cannot be used: its driver, the package sqlite3, has no binary for Node ${process.versions.node} on this machine. Run "npm rebuild sqlite3" in the folder of the server (without a ready binary that needs python3, make and a C++ compiler), or set DATABASE_URL to a PostgreSQL database.`;
  const fault = systemFaultOf(error);
  if (fault === undefined) return said;
  const { code, syscall } = fault;
  if (syscall === 'listen') return ofListening(code, config) ?? said;
  const { database, secretKey, dataDir } = config;
  const file = database.kind === 'sqlite' ? database.file : dataDir;
  if (secretKey.kind === 'file' && fault.path === secretKey.path)
    return `SHIPWORTHY_SECRET_KEY_FILE names ${secretKey.path}, which cannot be read (${code}). Put the key there, readable by this user.`;
  if (database.kind !== 'sqlite') return said;
  if (NO_DATABASE.has(code))
    return `${file} is no intact SQLite database (${code}). Nothing was changed. Restore a copy: shipworthy-server restore COPY --replace.`;
  if (FULL.has(code))
    return `The disk that holds ${file} is full (${code}). Free some of it, or set SHIPWORTHY_DATA_DIR to a folder on another one; then start again.`;
  if (NOT_KEPT.has(code))
    return `${file} could not be read or written (${code}): its disk is full or fails, or files may not grow so large (ulimit -f). Make room or lift the limit, or set SHIPWORTHY_DATA_DIR to a folder on another disk; then start again.`;
  if (NOT_WRITABLE.has(code))
    return `${fault.path ?? file} cannot be opened or made (${code}). The data folder must be one that this user may write: set SHIPWORTHY_DATA_DIR to such a folder, or give this user the right.`;
  return said;
};
