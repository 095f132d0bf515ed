import type { HostStage, OpenHost, Staged } from './host-stage.js';

/** Opens a stage for the suite around the call, heals it after each test and closes it in the end. */
export const onStage = (open: OpenHost): Staged => {
  let stage: HostStage | undefined;
  before(async () => {
    stage = await open();
  });
  afterEach(() => stage?.recover());
  after(async () => {
    await stage?.close();
  });
  return () => {
    if (stage === undefined) throw new Error('the stage is not open');
    return stage;
  };
};
