import { startVerifyFloor } from "../floor/verify.ts";
import { serveParent } from "../harness/serve-parent.ts";

// Minimal service that counts the uses of keys, as a floor.

let stop = async () => {};

serveParent({
  start: async (databaseUrl: string) => {
    const floor = await startVerifyFloor(databaseUrl);
    stop = floor.stop;
    return floor.url;
  },
  stop: () => stop(),
});
