import type { ReadinessReport } from '@shipworthy/client';
import { type ReleasePlace, releaseAddress } from '../../navigation/places.js';
import { Icon } from '../../parts/icon.js';
import { Moment } from '../../parts/moment.js';
import { Panel } from '../../parts/page.js';

type OpsFacts = NonNullable<Extract<ReadinessReport['axes'][number], { readonly axis: 'ops' }>['facts']>;
type OpsMark = NonNullable<OpsFacts['not_applicable']>[number];
type OpsRemoval = NonNullable<OpsFacts['removed']>[number];

const opsFactsOf = ({ axes }: ReadinessReport): OpsFacts | undefined => {
  const reading = axes.find(({ axis }) => axis === 'ops');
  return reading?.axis === 'ops' ? reading.facts : undefined;
};

const MarkLine = ({ mark: { title, reason, by, at, confirmed, confirmed_by } }: { readonly mark: OpsMark }) => (
  <li class={confirmed ? undefined : 'unknown'}>
    <Icon name={confirmed ? 'not_applicable' : 'open'} />
    <span>
      <strong>{title}</strong>{' '}
      <span class="tag">{confirmed ? 'Not applicable' : 'Open: awaiting an owner’s confirmation'}</span>
      <br />
      {reason === null ? <span class="soft">No reason recorded</span> : reason}
      <br />
      <span class="small soft">
        {by === null || at === null ? null : (
          <>
            Marked by {by} <Moment at={at} />
          </>
        )}
        {confirmed_by === null ? null : `; confirmed by ${confirmed_by}`}
      </span>
    </span>
  </li>
);

const RemovalLine = ({ removal: { title, by, at } }: { readonly removal: OpsRemoval }) => (
  <li>
    <Icon name="not_applicable" />
    <span>
      <strong>{title}</strong> <span class="tag">Removed</span>
      <br />
      <span class="small soft">
        Removed by {by} <Moment at={at} />
      </span>
    </span>
  </li>
);

/** Items of the launch checklist that are marked as not applicable, with the reason, and removed items. */
export const ChecklistNotes = ({
  report,
  place,
}: {
  readonly report: ReadinessReport;
  readonly place: ReleasePlace;
}) => {
  const { not_applicable: marks = [], removed = [] } = opsFactsOf(report) ?? {};
  if (marks.length + removed.length === 0) return null;
  return (
    <Panel
      title="Checklist exceptions"
      beside={
        <a class="small on-screen" href={`${releaseAddress(place)}/checklist`}>
          Launch checklist
        </a>
      }
    >
      <ul class="lines reasons">
        {marks.map((mark) => (
          <MarkLine key={`${mark.title} ${mark.at}`} mark={mark} />
        ))}
        {removed.map((removal) => (
          <RemovalLine key={`${removal.title} ${removal.at}`} removal={removal} />
        ))}
      </ul>
    </Panel>
  );
};
