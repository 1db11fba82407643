import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { startBackends } from "../libs/testkit/src/backends.ts";
import { keepWebsBuilt } from "../libs/ui/build/build-webs.ts";
import { runMalformed } from "../test/reliability/abuse/malformed/run-malformed.ts";
import { brokenOf, formatVerdicts } from "../test/reliability/abuse/report/verdict.ts";

// npm run abuse [-- --requests <count>] [--seed <number>]: sends malformed requests of every kind to services that run in separate
// processes.

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
  },
});
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

await keepWebsBuilt();
const servers = await startBackends();
try {
  say(`seed ${values.seed}`);
  const [requests, seed] = [Number(values.requests), Number(values.seed)];
  const verdicts = await runMalformed({ servers, requests, seed, say });
  say(`\n${formatVerdicts(verdicts)}\nseed ${values.seed}`);
  if (brokenOf(verdicts).length > 0) process.exitCode = 1;
} finally {
  await servers.stop();
}
