import { readFileSync } from 'node:fs';
import { operations } from '@shipworthy/client/contract';
import { expect } from 'chai';
import { METRICS_TOKEN } from '../harness/service.js';
import { useStage } from '../harness/stage.js';

const text = readFileSync(new URL('../../../../../deploy/alerts.yaml', import.meta.url), 'utf8');

describe('the rules of alerts', () => {
  const stage = useStage();

  it('watch nothing but what the service measures', async () => {
    const { anonymous } = stage().service;
    const { text: measured } = await anonymous.ok('readMetrics', {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const there = new Set(measured.match(/^(?:# TYPE )?([a-z_0-9]+)/gm)?.map((line) => line.replace('# TYPE ', '')));
    // `up` is the one that Prometheus makes itself.
    const watched = [...text.matchAll(/\b([a-z_]+)\{job="shipworthy"/g)].map(([, name = '']) => name);
    expect(watched).to.have.lengthOf.at.least(12);
    for (const name of watched)
      if (name !== 'up')
        expect(
          [name, name.replace(/_bucket$/, '')].some((each) => there.has(each)),
          name,
        ).to.equal(true);
  });

  it('page where Prometheus finds no instance at all, which a sum over nothing does not show', () => {
    expect(text).to.match(/alert: ShipworthyAway\n\s+expr: .* < 1 or absent\(up\{job="shipworthy"\}\)\n/);
  });

  it('name operations that there are', () => {
    const named = [...text.matchAll(/operation(?:!=|=~)"([\w|]+)"/g)].flatMap(([, names = '']) => names.split('|'));
    expect(named).to.include('readGate');
    for (const name of named) expect(operations).to.have.property(name);
  });
});
