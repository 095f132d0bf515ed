import type { ReleaseEvent, Stores, StoresWithFeed } from '@shipworthy/domain';
import { expect } from 'chai';
import type { Opened } from './open-stores.js';
import { sampleEvent } from './sample-event.js';
import { storedActiveRelease } from './sample-world.js';

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The events that one feed sends about one project. */
interface Ear {
  readonly heard: readonly ReleaseEvent[];
  /** Resolves as soon as the event is heard. */
  until(id: string): Promise<void>;
  end(): void;
}

const listenTo = ({ feed }: StoresWithFeed, projectId: string): Ear => {
  const heard: ReleaseEvent[] = [];
  const end = feed.subscribe((event) => {
    if (event.project.id === projectId) heard.push(event);
  });
  return {
    heard,
    end,
    until: async (id) => {
      while (!heard.some((event) => event.id === id)) await pause(5);
    },
  };
};

/** Feeds between processes need a moment to begin. */
const begun = async (stores: Stores, ear: Ear, event: ReleaseEvent): Promise<number> => {
  for (;;) {
    const probe = sampleEvent(event);
    await stores.events.append([probe]);
    for (let times = 0; times < 10; times += 1) {
      if (ear.heard.some(({ id }) => id === probe.id)) return ear.heard.length;
      await pause(5);
    }
  }
};

/** EventStore.append as it is told by EventFeed.subscribe. */
export const eventsContract = (opened: Opened): void => {
  describe('events', () => {
    const listening = async () => {
      const { stores, again } = opened();
      const { project } = await storedActiveRelease(stores);
      const event = (more: Partial<ReleaseEvent> = {}) =>
        sampleEvent({ teamId: project.teamId, project: { id: project.id, name: project.name }, ...more });
      const ears = [listenTo(stores, project.id), listenTo(again, project.id)];
      const already = await Promise.all(ears.map((ear) => begun(stores, ear, event())));
      const heardSince = async (last: ReleaseEvent) => {
        await Promise.all(ears.map((ear) => ear.until(last.id)));
        return ears.map(({ heard }, place) => heard.slice(already[place]));
      };
      const end = () => {
        for (const ear of ears) ear.end();
      };
      return { stores, again, event, ears, heardSince, end };
    };

    it('are told to everybody on the same data, in order and whole', async () => {
      const { stores, again, event, heardSince, end } = await listening();
      const [first, second, third] = [event({ before: null }), event({ type: 'gate.changed' }), event()];
      await stores.events.append([first, second]);
      await again.events.append([third]);
      for (const heard of await heardSince(third)) expect(heard.slice(-3)).to.deep.equal([first, second, third]);
      end();
    });

    it('are told after the end of the transaction, and never before', async () => {
      const { stores, event, ears, heardSince, end } = await listening();
      const told = event();
      await stores.transaction(async (outer) => {
        await outer.transaction((inner) => inner.events.append([told]));
        await pause(30);
        for (const { heard } of ears) expect(heard.some(({ id }) => id === told.id)).to.equal(false);
      });
      for (const heard of await heardSince(told)) expect(heard.filter(({ id }) => id === told.id)).to.have.lengthOf(1);
      end();
    });

    it('of an undone transaction are never told', async () => {
      const { stores, event, ears, heardSince, end } = await listening();
      const [undone, later] = [event(), event()];
      const failure = new Error('undone');
      const work = stores.transaction(async (inside) => {
        await inside.events.append([undone]);
        throw failure;
      });
      expect(await work.catch((error: unknown) => error)).to.equal(failure);
      await stores.events.append([later]);
      await heardSince(later);
      for (const { heard } of ears) expect(heard.some(({ id }) => id === undone.id)).to.equal(false);
      end();
    });

    it('with the longest names there may be are told', async () => {
      const { stores, event, heardSince, end } = await listening();
      const longest = '𝄞'.repeat(200);
      const { project, release } = event();
      const told = event({ project: { ...project, name: longest }, release: { ...release, name: longest } });
      await stores.events.append([told]);
      for (const heard of await heardSince(told)) expect(heard.at(-1)).to.deep.equal(told);
      end();
    });

    it('are not sent to a listener that has ended', async () => {
      const { stores, event, ears, end } = await listening();
      const [left, stays] = ears;
      left?.end();
      const before = left?.heard.length;
      const last = event();
      await stores.events.append([last]);
      await stays?.until(last.id);
      expect(left?.heard.length).to.equal(before);
      end();
    });
  });
};
