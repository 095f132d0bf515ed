import type { ReleaseSummary } from '@shipworthy/client';
import { type ProjectPlace, releaseAddress } from '../../navigation/places.js';
import { Table } from '../../parts/table.js';
import { dateText } from '../../wording/moments.js';
import { deploymentsText, longText, netText, shareText } from './analysis-words.js';

const HEADS = [
  'Release',
  'Shipped',
  { number: 'Took' },
  { number: 'Issues done' },
  { number: 'Scope change' },
  { number: 'Open bugs' },
  'Deployments',
  { number: 'First deployment to shipping' },
] as const;

const lasting = (seconds: number | null): string => (seconds === null ? '–' : longText(seconds));

const scopeChange = ({ after_start, change_rate }: ReleaseSummary['scope']): string => {
  if (after_start === null) return '–';
  return change_rate === null ? netText(after_start.net) : `${netText(after_start.net)} (${shareText(change_rate)})`;
};

const Row = ({ release, address }: { readonly release: ReleaseSummary; readonly address: string | undefined }) => (
  <tr>
    <th scope="row" data-head="Release">
      {address === undefined ? (
        <>
          {release.name}
          <div class="small soft">this release</div>
        </>
      ) : (
        <a href={address}>{release.name}</a>
      )}
    </th>
    <td data-head="Shipped">
      {release.shipped_at === null ? <span class="soft">not yet</span> : dateText(release.shipped_at)}
    </td>
    <td data-head="Took" class="number">
      {lasting(release.duration_seconds)}
    </td>
    <td data-head="Issues done" class="number">
      {release.issues.done} of {release.issues.total}
    </td>
    <td data-head="Scope change" class="number">
      {scopeChange(release.scope)}
    </td>
    <td data-head="Open bugs" class="number">
      {release.bugs.open}
    </td>
    <td data-head="Deployments">{deploymentsText(release.deployments)}</td>
    <td data-head="To shipping" class="number">
      {lasting(release.lead.to_shipping_seconds)}
    </td>
  </tr>
);

interface ComparisonProps {
  readonly release: ReleaseSummary;
  /** Newest first. */
  readonly earlier: readonly ReleaseSummary[];
  readonly place: ProjectPlace;
}

/** This release beside those that shipped before it. */
export const Comparison = ({ release, earlier, place }: ComparisonProps) =>
  earlier.length === 0 ? (
    <p class="soft">No release shipped before this one. Those that do are compared here, the last five of them.</p>
  ) : (
    <Table cards label="This release and earlier ones" heads={HEADS}>
      <Row release={release} address={undefined} />
      {earlier.map((one) => (
        <Row key={one.id} release={one} address={`${releaseAddress({ ...place, releaseId: one.id })}/analysis`} />
      ))}
    </Table>
  );
