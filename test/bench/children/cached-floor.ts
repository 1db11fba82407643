import { startCachedFloor } from "../floor/cached.ts";
import { serveParent } from "../harness/serve-parent.ts";

// Minimal server in one process, as a floor.

let stop = async () => {};

serveParent({
  start: async () => {
    const floor = await startCachedFloor();
    stop = floor.stop;
    return floor.url;
  },
  stop: () => stop(),
});
