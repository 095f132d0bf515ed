import { basePathFault } from '../http/base-path.js';
import type { SettingsReader } from './reader.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/;
const ANYWHERE: readonly string[] = ['0.0.0.0', '::'];

/** The public address; null: the listening one. Plain http beyond the loopback has to be wanted. */
export const baseUrlOf = (reader: SettingsReader, host: string): URL | null => {
  const insecure = reader.flag('SHIPWORTHY_INSECURE_HTTP');
  const given = reader.text('SHIPWORTHY_BASE_URL') !== undefined;
  const url = given ? reader.address('SHIPWORTHY_BASE_URL', 'http://127.0.0.1') : null;
  const hostName = url?.hostname ?? (ANYWHERE.includes(host) ? '127.0.0.1' : host);
  const fault = url && basePathFault(url);
  if (fault !== null) reader.fault('SHIPWORTHY_BASE_URL', fault);
  if (url?.protocol !== 'https:' && !LOOPBACK.test(hostName) && !insecure)
    reader.fault(
      'SHIPWORTHY_BASE_URL',
      'must be https beyond the loopback, or SHIPWORTHY_INSECURE_HTTP=true says that plain http is wanted.',
    );
  return url;
};
