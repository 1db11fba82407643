import { parseArgs } from "node:util";
import { startBackends } from "../libs/testkit/src/backends.ts";
import { keepWebsBuilt } from "../libs/ui/build/build-webs.ts";
import type { Where } from "../test/reliability/abuse/system/open-system.ts";
import { brokenOf, formatVerdicts } from "../test/reliability/abuse/report/verdict.ts";
import { runSoak } from "../test/reliability/abuse/soak/run-soak.ts";

// npm run soak [-- --minutes <count>] [--stores postgres|redis] [--share <of capacity>]: runs mixed load, by default for ten minutes, and
// prints a line per minute.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    stores: { type: "string", default: "redis" },
    share: { type: "string", default: "0.7" },
  },
});
const isWhere = (text: string): text is Where => text === "postgres" || text === "redis";
const where = values.stores;
if (!isWhere(where)) throw new TypeError("--stores is postgres or redis");
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

// Without it the gateway logs an error.
await keepWebsBuilt();
const servers = await startBackends();
try {
  const verdicts = await runSoak({
    servers,
    where,
    seconds: Number(values.minutes) * 60,
    everySeconds: 60,
    capacitySeconds: 20,
    shareOfCapacity: Number(values.share),
    judgesCourse: true,
    say,
  });
  say(`\n${formatVerdicts(verdicts)}`);
  if (brokenOf(verdicts).length > 0) process.exitCode = 1;
} finally {
  await servers.stop();
}
