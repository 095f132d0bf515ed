import { requestText } from '../../load/request-text.js';
import type { Besieged } from './besieged.js';
import type { Manner } from './slow-order.js';

const RECORDS = 200;

/** Reports many deployments at once: much work for the server, little for who asks. */
export const batchRequest = ({ key, project }: Besieged): string => {
  const record = {
    app_name: project.name,
    environment: 'production',
    commit_sha: 'b'.repeat(40),
    version: '4.12.0',
    deployed_by: 'ci',
    status: 'success',
  };
  return requestText({
    method: 'POST',
    path: '/api/deployments/batch',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(Array.from({ length: RECORDS }, () => record)),
  });
};

/** How a slow socket of each manner begins. */
export const slowBeginnings = ({ key }: Besieged): Readonly<Record<Manner, string>> => ({
  silent: '',
  headers: 'GET /api/whoami HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
  body: `POST /api/deployments HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
  reader: requestText({ method: 'GET', path: '/api/openapi.json', headers: {} }),
});
