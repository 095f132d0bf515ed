import { useLocation } from 'preact-iso';
import { type ProjectPlace, projectAddress } from '../navigation/places.js';
import './project-nav.css';

const PARTS = [
  ['Releases', ''],
  ['Issues', '/issues'],
  ['Test runs', '/test-runs'],
  ['Deployments', '/deployments'],
  ['Settings', '/settings'],
] as const;

/** The parts of a project, the one on the screen marked. */
export const ProjectNav = ({ place }: { readonly place: ProjectPlace }) => {
  const { path } = useLocation();
  const base = projectAddress(place);
  return (
    <nav class="project-nav on-screen" aria-label="Project">
      <ul>
        {PARTS.map(([title, end]) => (
          <li key={title}>
            <a
              href={base + end}
              aria-current={
                path === base + end ? 'page' : end !== '' && path.startsWith(`${base}${end}/`) ? 'true' : undefined
              }
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};
