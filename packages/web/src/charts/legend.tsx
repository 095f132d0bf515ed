import type { StepSeries } from './step-chart.js';

/** Which line is which: by its colour and its dash. */
export const Legend = ({ series }: { readonly series: readonly Pick<StepSeries, 'name' | 'look'>[] }) => (
  <ul class="chart-legend">
    {series.map(({ name, look }) => (
      <li key={name} class={`chart-series ${look}`}>
        <svg width="28" height="8" aria-hidden="true">
          <path class="chart-line" d="M0,4H28" />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);
