import type { TestRun } from '@shipworthy/client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useProject } from '../../../api/project.js';
import { useReleases } from '../../../api/releases.js';
import { useMay } from '../../../api/role.js';
import { HOME, projectAddress } from '../../../navigation/places.js';
import { Button } from '../../../parts/button.js';
import { Page } from '../../../parts/page.js';
import { ProjectNav } from '../../../parts/project-nav.js';
import { Shown } from '../../../parts/shown.js';
import { MayNot } from './may-not.js';
import { RecordForm } from './record-form.js';
import { Recorded } from './recorded.js';

/** Records a test run by hand or from a report file, and says what it came to. */
export const RecordTestRun = () => {
  const { teamId = '', projectId = '' } = useRoute().params;
  const place = { teamId, projectId };
  const project = useProject(place);
  const releases = useReleases(place);
  const member = useMay(teamId, 'member');
  const [recorded, setRecorded] = useState<TestRun | undefined>(undefined);
  const name = project.state.value.value?.name;
  const list = `${projectAddress(place)}/test-runs`;
  return (
    <Page
      title={name ? `Record a test run of ${name}` : project.state.value.fault && 'Record a test run'}
      crumbs={
        name === undefined
          ? []
          : [
              ['Projects', HOME],
              [name, projectAddress(place)],
              ['Test runs', list],
            ]
      }
    >
      <ProjectNav place={place} />
      <Shown of={project} lines={6}>
        {() =>
          recorded === undefined ? (
            <Shown of={releases} lines={6}>
              {(known) =>
                !member ? <MayNot /> : <RecordForm place={place} releases={known} onRecorded={setRecorded} />
              }
            </Shown>
          ) : (
            <Recorded run={recorded} place={place}>
              <Button onClick={() => setRecorded(undefined)}>Record another one</Button>
              <a href={list}>All test runs</a>
            </Recorded>
          )
        }
      </Shown>
    </Page>
  );
};
