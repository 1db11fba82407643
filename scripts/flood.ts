import { parseArgs } from "node:util";
import { startBackends } from "../libs/testkit/src/backends.ts";
import type { Storage } from "../test/reliability/abuse/flood/flooded.ts";
import { runFlood } from "../test/reliability/abuse/flood/run-flood.ts";
import { brokenOf, formatVerdicts } from "../test/reliability/abuse/report/verdict.ts";

// npm run flood [-- --addresses <count>] [--storage <storage>]: sends requests from many client addresses to the rate limiter, with each
// storage.

const storages: readonly Storage[] = ["memory", "secondary-storage", "database"];
const { values } = parseArgs({
  options: {
    addresses: { type: "string", default: "1000000" },
    storage: { type: "string" },
  },
});
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const servers = await startBackends();
try {
  for (const storage of storages.filter((one) => !values.storage || one === values.storage)) {
    say(`\n${storage}, ${values.addresses} addresses`);
    const addresses = Number(values.addresses);
    const verdicts = await runFlood({ servers, storage, addresses, judgesCost: true, say });
    say(formatVerdicts(verdicts));
    if (brokenOf(verdicts).length > 0) process.exitCode = 1;
  }
} finally {
  await servers.stop();
}
