import type { HostDeployment, HostDeploymentState } from '@shipworthy/domain';
import { type Fields, fieldsOf, momentOf, textOf, textOrNull, webAddressOrNull } from './fields.js';

/** Where GitHub deploys to when nobody said where. */
const DEFAULT_ENVIRONMENT = 'production';

const STATES: Readonly<Record<string, HostDeploymentState>> = {
  SUCCESS: 'success',
  FAILURE: 'failure',
  ERROR: 'failure',
  IN_PROGRESS: 'started',
  QUEUED: 'queued',
  PENDING: 'queued',
  WAITING: 'queued',
};

/** `INACTIVE` and whatever GitHub may add say nothing about how a deployment went. */
const stateOf = (state: string): HostDeploymentState => STATES[state] ?? 'other';

/** A deployment with all of its statuses, as GitHub gives them: the newest first. */
export const deploymentOf = (fields: Fields, statuses: readonly Fields[]): HostDeployment => {
  const { ref = null, creator = null } = fields;
  const newest = statuses.find((status) => webAddressOrNull(status, 'logUrl') !== null);
  return {
    id: textOf(fields, 'id'),
    environment: textOrNull(fields, 'environment') ?? DEFAULT_ENVIRONMENT,
    commitSha: textOf(fields, 'commitOid'),
    ref: ref === null ? null : textOf(fieldsOf(ref, 'ref'), 'name'),
    deployedBy: creator === null ? null : textOf(fieldsOf(creator, 'creator'), 'login'),
    url: newest === undefined ? null : webAddressOrNull(newest, 'logUrl'),
    createdAt: momentOf(fields, 'createdAt'),
    states: statuses
      .map((status) => ({ state: stateOf(textOf(status, 'state')), at: momentOf(status, 'createdAt') }))
      .reverse()
      .sort((one, other) => one.at - other.at),
  };
};
