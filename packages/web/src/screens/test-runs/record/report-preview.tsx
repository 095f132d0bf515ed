import type { TestCounts } from '@shipworthy/test-reports';
import { Button } from '../../../parts/button.js';
import { Notice } from '../../../parts/notice.js';
import { durationText, momentText } from '../../../wording/moments.js';
import { countText, passRateText } from '../../../wording/numbers.js';

interface ReportPreviewProps {
  readonly names: readonly string[];
  readonly counts: TestCounts;
  readonly onClear: () => void;
}

/** What a report came to, before anything of it is sent. */
export const ReportPreview = ({ names, counts, onClear }: ReportPreviewProps) => {
  const { total, passed, failed, errored, skipped, doubts, durationSeconds, ranAt } = counts;
  const figures: readonly (readonly [string, string])[] = [
    ['Passed', countText(passed)],
    ['Failed', countText(failed)],
    ...(errored === 0 ? [] : [['Errored', countText(errored)] as const]),
    ['Skipped', countText(skipped)],
    ['Pass rate', passRateText(passed, total)],
  ];
  return (
    <section class="stack" aria-label="Counts of the report">
      <div class="row apart">
        <p>
          <strong class="file-names">{names.join(', ')}</strong>
          <br />
          <span class="small soft">
            {countText(total)} tests ran
            {durationSeconds === undefined ? '' : `, in ${durationText(durationSeconds)}`}
            {ranAt === undefined ? '' : `, until ${momentText(ranAt)}`}
          </span>
        </p>
        <Button compact onClick={onClear}>
          Enter by hand instead
        </Button>
      </div>
      {doubts.length === 0 ? null : (
        <Notice look="attention">
          {doubts.map((doubt) => (
            <p key={doubt}>{doubt}</p>
          ))}
          <p class="small">What the report does not list is counted as errors.</p>
        </Notice>
      )}
      <dl class="figures">
        {figures.map(([title, text]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd class="number">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
