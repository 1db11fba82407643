import { serveParent } from "../harness/serve-parent.ts";
import type { StackInput } from "../harness/stack-settings.ts";
import { startFloorGateway } from "../floor/gateway.ts";
import { createPostgresLookUp, createRedisLookUp } from "../floor/look-up.ts";
import { startFloorService } from "../floor/service.ts";

// Minimal gateway and service in one process, as a floor.

let stop = async () => {};

serveParent({
  start: async ({ databaseUrl, redis }: StackInput) => {
    const lookUp = redis
      ? createRedisLookUp(redis.url, redis.keyPrefix)
      : createPostgresLookUp(databaseUrl);
    const service = await startFloorService(lookUp);
    const gateway = await startFloorGateway(service.url);
    stop = async () => {
      await gateway.stop();
      await service.stop();
      await lookUp.close();
    };
    return gateway.url;
  },
  stop: () => stop(),
});
