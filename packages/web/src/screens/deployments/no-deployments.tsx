import type { Project } from '@shipworthy/client';
import { Empty } from '../../parts/page.js';
import { HowToReport } from './how-to-report.js';

/** Before the first one: the lines that report it. */
export const NoDeployments = ({ project }: { readonly project: Project }) => (
  <Empty title="No deployment yet">
    <HowToReport project={project} />
  </Empty>
);
