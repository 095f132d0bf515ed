import type { Project } from '@shipworthy/client';
import { SETTINGS } from '../../navigation/places.js';
import { CopyText } from '../../parts/copy-text.js';
import { deployCommand, deployPosting } from '../../wording/report-lines.js';

/** The lines that report a deployment. */
export const HowToReport = ({ project }: { readonly project: Project }) => (
  <>
    <p>
      Put your deploy script behind one command: it tells when the deployment begins, and whether it went well. It needs{' '}
      <code>SHIPWORTHY_API_URL</code> and <code>SHIPWORTHY_API_KEY</code>; create the key in{' '}
      <a href={SETTINGS}>Settings</a>.
    </p>
    <CopyText label="The command" text={deployCommand(project.name)} />
    <p>Or tell it afterwards, from anything that speaks HTTP:</p>
    <CopyText label="The same with curl" text={deployPosting(project.name)} />
  </>
);
