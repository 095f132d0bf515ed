import type { Deployment } from '@shipworthy/client';
import './deployment-status.css';
import { Icon, type IconName } from './icon.js';

const STATUSES: Readonly<Record<Deployment['status'], readonly [text: string, icon: IconName]>> = {
  started: ['In progress', 'clock'],
  success: ['Success', 'done'],
  failure: ['Failure', 'bad'],
};

/** How a deployment went: icon and word. */
export const DeploymentStatus = ({ of }: { readonly of: Deployment['status'] }) => {
  const [text, icon] = STATUSES[of];
  return (
    <span class={`status ${of}`}>
      <Icon name={icon} /> {text}
    </span>
  );
};
