import { startVerifyFloor } from "../floor/verify.ts";
import { serveParent } from "../harness/serve-parent.ts";

// The least that a service can do that counts the uses of keys.

let stop = async () => {};

serveParent({
  start: async (databaseUrl: string) => {
    const floor = await startVerifyFloor(databaseUrl);
    stop = floor.stop;
    return floor.url;
  },
  stop: () => stop(),
});
