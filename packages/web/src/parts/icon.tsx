const PATHS = {
  go: 'M3.5 8.5l3 3 6-7',
  hold: 'M5.5 3.5v9M10.5 3.5v9',
  unknown: 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.5M8 12.2v.1',
  done: 'M3.5 8.5l3 3 6-7',
  open: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z',
  not_applicable: 'M4 8h8',
  bad: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  attention: 'M8 4v5M8 11.8v.1',
  clock: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM8 5.5V8l2 1.5',
  link: 'M9.5 3.5h3v3M12.5 3.5L7 9M7 4H4.5A1.5 1.5 0 0 0 3 5.5v6A1.5 1.5 0 0 0 4.5 13h6a1.5 1.5 0 0 0 1.5-1.5V9',
  up: 'M8 12.5v-9M4 7.5l4-4 4 4',
  down: 'M8 3.5v9M4 8.5l4 4 4-4',
  next: 'M6 3.5L10.5 8 6 12.5',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  plus: 'M8 3.5v9M3.5 8h9',
  ship: 'M2.5 10l1.5 3h8l1.5-3-5.5-1.5zM8 8.5V2.5M4.5 9V5.5h7V9',
  bell: 'M4 11.5V7a4 4 0 0 1 8 0v4.5zM2.8 11.5h10.4M7 13.8h2',
  search: 'M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.2 3.2',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside a word; never alone, so it says nothing to screen readers. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
    <path d={PATHS[name]} stroke-linecap="round" stroke-linejoin="round" />
  </svg>
);
