import type { AxisRow, ChecklistRow, DeploymentRow, IssueRow, TestRunRow } from '@shipworthy/client';
import { client } from '../../api/client.js';
import { usePaged } from '../../api/paged.js';
import { inRelease, type ReleasePlace, releaseKey } from '../../navigation/places.js';
import { ShowMore } from '../../parts/show-more.js';
import { Shown } from '../../parts/shown.js';
import type { AxisName } from '../../wording/names.js';
import type { Scored } from '../scorecard/read-scorecard.js';
import { ChecklistRows } from './checklist-rows.js';
import { Connect } from './connect.js';
import { DeploymentRows } from './deployment-rows.js';
import { IssueRows } from './issue-rows.js';
import { RunRows } from './run-rows.js';

const NAMES: Readonly<Record<AxisName, string>> = {
  scope: 'issues',
  quality: 'bugs',
  ops: 'items',
  verification: 'test runs',
  stability: 'deployments',
};

/** Which rows an axis has is told by the axis alone, which the type of the answer cannot say. */
const tableOf = (axis: AxisName, rows: readonly AxisRow[]) => {
  if (axis === 'ops') return <ChecklistRows rows={rows as readonly ChecklistRow[]} />;
  if (axis === 'verification') return <RunRows rows={rows as readonly TestRunRow[]} />;
  if (axis === 'stability') return <DeploymentRows rows={rows as readonly DeploymentRow[]} />;
  return <IssueRows rows={rows as readonly IssueRow[]} bugs={axis === 'quality'} />;
};

interface AxisRowsProps {
  readonly axis: AxisName;
  readonly scored: Scored;
  readonly place: ReleasePlace;
}

/** The records under an axis, each counted or not and why; or how to get some. */
export const AxisRows = ({ axis, scored, place }: AxisRowsProps) => {
  const records = usePaged<AxisRow>(releaseKey(place, `axis/${axis}`), async (query, signal) => {
    const { body } = await client.listAxisRows({ path: { ...inRelease(place), axis }, query, signal });
    return body;
  });
  return (
    <Shown of={records}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Connect axis={axis} report={scored.report} release={scored.release} place={place} />
        ) : (
          <div class="stack">
            {tableOf(axis, rows)}
            <ShowMore of={records} rows={NAMES[axis]} />
          </div>
        )
      }
    </Shown>
  );
};
