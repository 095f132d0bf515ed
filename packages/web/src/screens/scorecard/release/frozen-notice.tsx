import type { ReadinessReport } from '@shipworthy/client';
import { type ReleasePlace, releaseAddress } from '../../../navigation/places.js';
import { Notice } from '../../../parts/notice.js';
import { momentText } from '../../../wording/moments.js';

/** Which of a closed release's reports this is, and the way to the other one. */
export const FrozenNotice = ({ report, place }: { readonly report: ReadinessReport; readonly place: ReleasePlace }) => {
  const { state } = report.release;
  if (state === 'canceled')
    return (
      <Notice look="attention">
        <p>This release was canceled.</p>
      </Notice>
    );
  if (state !== 'shipped') return null;
  return (
    <Notice look={report.frozen_at === undefined ? 'attention' : 'good'}>
      {report.frozen_at === undefined ? (
        <p>
          This is how the shipped release reads now.{' '}
          <a class="on-screen" href={releaseAddress(place)}>
            Show the report it shipped with
          </a>
        </p>
      ) : (
        <p>
          Shipped on {momentText(report.frozen_at)}. This is the report of that moment.{' '}
          <a class="on-screen" href={`${releaseAddress(place)}?view=live`}>
            Show how it reads now
          </a>
        </p>
      )}
    </Notice>
  );
};
