interface FlowLegendProps {
  /** What the bars above and below the line are called, and the dot. */
  readonly came: string;
  readonly went: string;
  readonly net: string;
}

/** Which mark is which in a drawing of what came and went. */
export const FlowLegend = ({ came, went, net }: FlowLegendProps) => (
  <ul class="chart-legend">
    <li>
      <svg width="10" height="12" aria-hidden="true">
        <rect class="chart-came" width="10" height="8" />
        <line class="chart-zero" x2="10" y1="9" y2="9" />
      </svg>
      {came}
    </li>
    <li>
      <svg width="10" height="12" aria-hidden="true">
        <rect class="chart-went" y="4" width="10" height="8" />
        <line class="chart-zero" x2="10" y1="3" y2="3" />
      </svg>
      {went}
    </li>
    <li>
      <svg width="10" height="12" aria-hidden="true">
        <circle class="chart-net" cx="5" cy="6" r="3" />
      </svg>
      {net}
    </li>
  </ul>
);
