import { startCachedFloor } from "../floor/cached.ts";
import { serveParent } from "../harness/serve-parent.ts";

// The least that a server in one process can do.

let stop = async () => {};

serveParent({
  start: async () => {
    const floor = await startCachedFloor();
    stop = floor.stop;
    return floor.url;
  },
  stop: () => stop(),
});
