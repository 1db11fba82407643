import { startCachedFloor } from "../floor/cached.ts";
import { serveParent } from "../harness/serve-parent.ts";

// Minimal server in one process, as a floor.

let stop = async () => {};

serveParent({
  start: async (input: { isSame: boolean }) => {
    const floor = await startCachedFloor(input);
    stop = floor.stop;
    return floor.url;
  },
  stop: () => stop(),
});
