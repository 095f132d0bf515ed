import { expect } from 'chai';
import { shapeFaults } from '../src/answer-shape.js';
import { createClient, ResponseShapeError } from '../src/index.js';
import type { CalledId } from '../src/routes.js';

const faults = (operation: CalledId, value: unknown) => {
  const text = JSON.stringify(value);
  return shapeFaults(operation, text, JSON.parse(text));
};

/** An answer that holds the decision and members of a later version, none of those of this one. */
const DECIDED = {
  readGate: (decision: unknown) => ({ data: { decision, later: {} } }),
  readReadiness: (decision: unknown) => ({ later: 1, data: { gate: { decision } } }),
  readActiveReadiness: (decision: unknown) => ({ data: { gate: { decision, later: [] } } }),
  askWhatIf: (decision: unknown) => ({ data: { report: { gate: { decision } }, before: { decision } } }),
  readPortfolio: (decision: unknown) => ({ data: [{ readiness: null }, { readiness: { decision } }] }),
} as const;
const OPERATIONS = Object.keys(DECIDED) as readonly (keyof typeof DECIDED)[];

describe('shapeFaults', () => {
  it('finds none where the decision is one of the three words, whatever else is there', () => {
    for (const operation of OPERATIONS)
      for (const word of ['go', 'hold', 'unknown'])
        expect(faults(operation, DECIDED[operation](word))).to.deep.equal([]);
    expect(faults('readPortfolio', { data: [] })).to.deep.equal([]);
    expect(
      faults('readGate', { data: { decision: 'go', 'a "decision": ': '"decision":{', x: [{ y: {} }] } }),
    ).to.deep.equal([]);
  });

  it('names where a decision is missing or none of them', () => {
    for (const word of ['GO', 'go ', '', null, undefined, 0, true, ['go'], { go: true }, 'constructor', '__proto__']) {
      expect(faults('readGate', DECIDED.readGate(word))).to.deep.equal(['/data/decision']);
      expect(faults('readReadiness', DECIDED.readReadiness(word))).to.deep.equal(['/data/gate/decision']);
      expect(faults('readPortfolio', DECIDED.readPortfolio(word))).to.deep.equal(['/data/1/readiness/decision']);
      expect(faults('askWhatIf', DECIDED.askWhatIf(word))).to.have.length(2);
    }
    for (const value of [null, 1, 'go', [], {}, { data: null }, { data: [{}] }])
      for (const operation of OPERATIONS) expect(faults(operation, value), operation).not.to.deep.equal([]);
    expect(
      shapeFaults(
        'readGate',
        '{"__proto__":{"data":{"decision":"go"}}}',
        JSON.parse('{"__proto__":{"data":{"decision":"go"}}}'),
      ),
    ).to.deep.equal(['/data/decision']);
  });

  it('finds two meanings where a member stands twice in one object', () => {
    for (const text of [
      '{"data":{"decision":"hold","decision":"go"}}',
      '{"data":{"decision":"hold"}, "data" : {"decision":"go"}}',
      '{"data":{"decision":"go","x":{"a":1,"a":2}}}',
    ])
      expect(shapeFaults('readGate', text, JSON.parse(text)), text).to.deep.equal(['']);
    const once = '{"data":{"decision":"go","text":"a\\\\\\":\\"b\\":","list":["a",{"a":1},{"a":2}]}}';
    expect(shapeFaults('readGate', once, JSON.parse(once))).to.deep.equal([]);
  });

  it('finds what is no page, and nothing in what the client does not read', () => {
    expect(faults('listReleases', { data: [], next_cursor: null, later: 1 })).to.deep.equal([]);
    expect(faults('listReleases', { data: {}, next_cursor: 7 })).to.deep.equal(['/data', '/next_cursor']);
    expect(faults('listReleases', { data: [] })).to.deep.equal(['/next_cursor']);
    for (const value of [null, [], {}, 7]) expect(faults('listTeams', value)).to.deep.equal([]);
  });
});

describe('a client that is answered in another shape', () => {
  const clientOf = (body: string) =>
    createClient({
      baseUrl: 'https://ship.example.com',
      fetch: async () => new Response(body, { headers: { 'content-type': 'application/json', 'x-request-id': 'r-1' } }),
    });
  const path = { team_id: 't', project_id: 'p', release_id: 'r' };

  it('rejects at once with method, path and pointers', async () => {
    const error = await clientOf('{"data":{"decision":"soft_hold"}}')
      .readGate({ path })
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ResponseShapeError);
    expect(error).to.deep.include({
      operation: 'readGate',
      method: 'GET',
      path: '/api/teams/{team_id}/projects/{project_id}/releases/{release_id}/gate',
      pointers: ['/data/decision'],
      attempts: 1,
      requestId: 'r-1',
    });
    expect(String(error)).to.contain('/data/decision is missing or not as the contract says');
    const twice = await clientOf('{"data":{"decision":"hold","decision":"go"}}')
      .readGate({ path })
      .catch((reason: unknown) => reason);
    expect(String(twice)).to.contain('cannot be understood as a whole');
  });

  it('hands on members that it does not know', async () => {
    const { body } = await clientOf('{"data":{"decision":"go","later":[1]},"more":2}').readGate({ path });
    expect(body).to.deep.equal({ data: { decision: 'go', later: [1] }, more: 2 });
  });
});
