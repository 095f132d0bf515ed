import { axisAddress, type ProjectPlace } from '../navigation/places.js';
import { type Attribution, outsideText, standingsOf } from '../wording/attribution.js';
import { Icon } from './icon.js';
import './counted.css';

/** Which releases a record counts for, and if for none, why not. */
export const Counted = ({ of, place }: { readonly of: Attribution; readonly place: ProjectPlace }) => {
  const standings = standingsOf(of);
  if (standings.length === 0)
    return (
      <span class="counted not">
        <Icon name="not_applicable" />
        <span>Not counted: {outsideText(of)}</span>
      </span>
    );
  return (
    <>
      {standings.map(({ release, why }) => (
        <span key={release.id} class={why === null ? 'counted' : 'counted not'}>
          <Icon name={why === null ? 'done' : 'not_applicable'} />
          <span>
            {why === null ? 'Counts for ' : 'Not for '}
            <a href={axisAddress({ ...place, releaseId: release.id }, of.axis)}>{release.name}</a>
            {why === null ? null : `: ${why}`}
          </span>
        </span>
      ))}
    </>
  );
};
