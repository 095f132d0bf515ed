import type { Deployment } from '@shipworthy/client';
import './deployment-status.css';
import { Icon, type IconName } from './icon.js';

const STATUSES: Readonly<Record<Deployment['status'], readonly [text: string, icon: IconName]>> = {
  started: ['In progress', 'clock'],
  success: ['Success', 'done'],
  failure: ['Failure', 'bad'],
};

/** How a deployment went, and whether it was a rollback: icon and word. */
export const DeploymentStatus = ({ of }: { readonly of: Pick<Deployment, 'status' | 'is_return'> }) => {
  const [text, icon] = STATUSES[of.status];
  return (
    <span class={`status ${of.status}`}>
      <Icon name={icon} /> {text}
      {of.is_return ? ', rollback' : null}
    </span>
  );
};
