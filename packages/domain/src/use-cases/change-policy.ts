import { invalid } from '../errors.js';
import type { Policy, PolicyVersion } from '../readiness/policy.js';
import { policyFaults } from '../readiness/policy-rules.js';
import { type ChangePorts, versionMismatch } from './change.js';
import { changeProject, type InProject } from './in-project.js';

export interface ChangePolicy extends InProject {
  readonly policy: Policy;
  /** The version the caller saw. */
  readonly version: number;
}

/** Gives a project another policy, as its next version. Role owner. @throws DomainError `not-found`, `forbidden`, `invalid`, `version-mismatch` */
export const changePolicy =
  (ports: ChangePorts) =>
  (command: ChangePolicy): Promise<PolicyVersion> =>
    changeProject(ports, command, 'owner', async ({ stores, project, now, by, note }) => {
      const faults = policyFaults(command.policy);
      if (faults.length > 0) throw invalid(faults);
      const version = command.version + 1;
      const next = { policy: command.policy, version, changedAt: now, changedBy: by.principal.name };
      if (!(await stores.policies.add(project.id, next)))
        throw versionMismatch(await stores.policies.current(project.id));
      const resource = { type: 'project', id: project.id };
      await note({ teamId: project.teamId, action: 'policy.change', resource, detail: { version } });
      return next;
    });
