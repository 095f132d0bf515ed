import { useLocation } from 'preact-iso';

/** The screens of one subject, side by side. */
export const Tabs = ({
  label,
  places,
}: {
  readonly label: string;
  readonly places: readonly (readonly [title: string, address: string])[];
}) => {
  const { path } = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {places.map(([title, address]) => (
          <li key={address}>
            <a href={address} aria-current={path === address ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};
