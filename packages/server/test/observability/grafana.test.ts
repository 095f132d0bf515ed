import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { METRICS_TOKEN } from '../harness/service.js';
import { useStage } from '../harness/stage.js';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(
  readFileSync(new URL('../../../../../docs/grafana/shipworthy.json', import.meta.url), 'utf8'),
) as { readonly panels: readonly Panel[] };
const drawn = panels.filter(({ type }) => type !== 'row');

/** Names that are selected by labels; functions and groupings are followed by a parenthesis. */
const namesIn = (expr: string): readonly string[] => expr.match(/[a-zA-Z_:][\w:]*(?=\{)/g) ?? [];

describe('the Grafana dashboard', () => {
  const stage = useStage();

  it('asks for nothing but what the service measures', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const { anonymous, baseUrl } = stage().service;
    await fetch(`${baseUrl}/livez`);
    const { text } = await anonymous.ok('readMetrics', { headers });
    const there = new Set(text.match(/^(?:# TYPE )?([a-z_0-9]+)/gm)?.map((line) => line.replace('# TYPE ', '')));
    expect(there).to.include('shipworthy_requests_total').and.not.include('shipworthy_requests');
    for (const { title, targets = [] } of drawn) {
      const names = targets.flatMap(({ expr }) => namesIn(expr));
      expect(names, title).to.have.length.of.at.least(targets.length).and.not.empty;
      for (const name of names) expect(there, title).to.include(name);
    }
  });

  it('shows each panel once, none over another', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    const cells = drawn.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).to.equal(cells.length);
  });
});
