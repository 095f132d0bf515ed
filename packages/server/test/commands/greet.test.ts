import { memoryStores } from '@shipworthy/adapters/memory';
import { expect } from 'chai';
import { greet } from '../../src/commands/greet.js';
import { VERSION } from '../../src/version.js';

const url = new URL('http://127.0.0.1:4400');
const LISTENS = `Shipworthy ${VERSION} listens on http://127.0.0.1:4400`;

const said = async (
  given: { readonly madeToken: string | null; readonly application: boolean },
  users: Pick<ReturnType<typeof memoryStores>['users'], 'any'> = memoryStores().users,
  ended = new AbortController().signal,
): Promise<readonly string[]> => {
  const printed: string[] = [];
  await greet({ url, ...given }, { users }, { print: (text) => void printed.push(text) }, ended);
  return printed;
};

describe('the greeting of a start', () => {
  it('names the token while nobody is set up, and the address to open where the application is served', async () => {
    const token = 'Nobody is set up yet. One-time setup token: abc-def';
    const open = 'Open http://127.0.0.1:4400 and enter the token.';
    expect(await said({ madeToken: 'abc-def', application: true })).to.deep.equal([LISTENS, token, open]);
    expect(await said({ madeToken: 'abc-def', application: false })).to.deep.equal([LISTENS, token]);
  });

  it('does not repeat a token that was given', async () => {
    const [, token] = await said({ madeToken: null, application: true });
    expect(token).to.equal('Nobody is set up yet. One-time setup token: as given in SHIPWORTHY_SETUP_TOKEN');
  });

  it('says no more once somebody is, and where to look while the database is away', async () => {
    const any = (answer: Promise<boolean>) => ({ any: () => answer });
    expect(await said({ madeToken: 'abc', application: true }, any(Promise.resolve(true)))).to.deep.equal([LISTENS]);
    const isOver = AbortSignal.abort();
    const never = any(Promise.reject(new Error('away')));
    const away = await said({ madeToken: 'abc', application: true }, never, isOver);
    expect(away).to.have.length(2);
    expect(away[1]).to.contain('/readyz');
  });

  it('names the token later when the database was away at first', async () => {
    let asked = 0;
    const users = {
      any: async () => {
        asked += 1;
        if (asked === 1) throw new Error('away');
        return false;
      },
    };
    const [, away, token] = await said({ madeToken: 'abc-def', application: false }, users);
    expect(away).to.contain('/readyz');
    expect(token).to.contain('abc-def');
  });
});
