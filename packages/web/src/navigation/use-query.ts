import { useLocation } from 'preact-iso';
import { navigate } from './navigate.js';

/** What the address says behind its question mark, and how to change some of it; an empty value leaves it out. */
export const useQuery = (): readonly [
  query: Readonly<Record<string, string>>,
  change: (members: Readonly<Record<string, string>>) => void,
] => {
  const { path, query } = useLocation();
  const change = (members: Readonly<Record<string, string>>) => {
    const kept = Object.entries({ ...query, ...members }).filter(([, value]) => value !== '');
    const text = new URLSearchParams(kept).toString();
    navigate(text === '' ? path : `${path}?${text}`, { replace: true });
  };
  return [query, change];
};
