import type { ReadinessReport } from '@shipworthy/client';
import { useRoute } from 'preact-iso';
import { client } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { inRelease, projectAddress, type ReleasePlace, releaseAddress, releaseKey } from '../../navigation/places.js';
import { Page } from '../../parts/page.js';
import { Shown } from '../../parts/shown.js';
import { AxisCard } from './axis-card.js';
import { NextSteps } from './next-steps.js';
import { Reasons } from './reasons.js';
import './scorecard.css';
import { Verdict } from './verdict.js';

const Body = ({ report, place }: { readonly report: ReadinessReport; readonly place: ReleasePlace }) => (
  <div class="stack wide">
    <Verdict report={report} />
    <ul class="axis-cards" aria-label="The five axes">
      {report.axes.map((reading) => (
        <AxisCard key={reading.axis} reading={reading} place={place} gate={report.gate} />
      ))}
    </ul>
    <div class="why-and-next">
      <Reasons gate={report.gate} />
      <NextSteps gate={report.gate} place={place} />
    </div>
  </div>
);

/** A release: may it ship, why not, and what to do next. */
export const Scorecard = () => {
  const { teamId = '', projectId = '', releaseId = '' } = useRoute().params;
  const place = { teamId, projectId, releaseId };
  const readiness = useResource(releaseKey(place, 'readiness'), async (signal) => {
    const { body } = await client.readReadiness({ path: inRelease(place), signal });
    return body.data;
  });
  const report = readiness.state.value.value;
  return (
    <Page
      title={report && `${report.project.name} ${report.release.name}`}
      crumbs={
        report === undefined
          ? []
          : [
              ['Projects', '/'],
              [report.project.name, projectAddress(place)],
            ]
      }
      actions={
        <>
          <a class="button" href={`${releaseAddress(place)}/checklist`}>
            Launch checklist
          </a>
          <a class="button" href={`${releaseAddress(place)}/analysis`}>
            Analysis
          </a>
        </>
      }
    >
      <Shown of={readiness} lines={8}>
        {(value) => <Body report={value} place={place} />}
      </Shown>
    </Page>
  );
};
