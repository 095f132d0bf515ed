import type { Deployment } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { axisAddress, type ProjectPlace } from '../navigation/places.js';
import { noReleaseText, type RecordAttribution, releasesOfRecord } from '../wording/names.js';
import { Icon, type IconName } from './icon.js';
import './records.css';

/** The beginning of a commit hash; pressing it copies the whole. */
export const Commit = ({ sha }: { readonly sha: string }) => {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sha);
      setSaid('Copied');
    } catch {
      setSaid(sha);
    }
  };
  return (
    <span class="commit">
      <button type="button" title={sha} aria-label={`Copy commit ${sha.slice(0, 7)}`} onClick={() => void copy()}>
        <code>{sha.slice(0, 7)}</code>
        <Icon name="copy" />
      </button>
      <span role="status" class="small soft">
        {said}
      </span>
    </span>
  );
};

const STATUSES: Readonly<Record<Deployment['status'], readonly [text: string, icon: IconName]>> = {
  started: ['In progress', 'clock'],
  success: ['Success', 'done'],
  failure: ['Failure', 'bad'],
};

/** How a deployment went, and whether it was a rollback: icon and word. */
export const DeploymentStatusLabel = ({ of }: { readonly of: Pick<Deployment, 'status' | 'is_return'> }) => {
  const [text, icon] = STATUSES[of.status];
  return (
    <span class={`status ${of.status}`}>
      <Icon name={icon} /> {text}
      {of.is_return ? ', rollback' : null}
    </span>
  );
};

/** Which releases a record counts for, and if for none, why not. */
export const Counted = ({ of, place }: { readonly of: RecordAttribution; readonly place: ProjectPlace }) => {
  const releases = releasesOfRecord(of);
  if (releases.length === 0)
    return (
      <span class="counted not">
        <Icon name="not_applicable" />
        <span>Not counted: {noReleaseText(of)}</span>
      </span>
    );
  return (
    <>
      {releases.map(({ release, why }) => (
        <span key={release.id} class={why === null ? 'counted' : 'counted not'}>
          <Icon name={why === null ? 'done' : 'not_applicable'} />
          <span>
            {why === null ? 'Counts for ' : 'Not for '}
            <a href={axisAddress({ ...place, releaseId: release.id }, of.axis)}>
              <bdi>{release.name}</bdi>
            </a>
            {why === null ? null : `: ${why}`}
          </span>
        </span>
      ))}
    </>
  );
};
