import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { findService } from "./find-service.ts";
import { servicePorts } from "./service-ports.ts";

// The image's HEALTHCHECK: whether the service that runs is ready. Loads as little as it can, as it is asked all the time.

const answerMilliseconds = 4_000;

/** The service that is named, or that the first process of this container runs. */
const name = findService(
  process.argv[2] ?? (await readFile("/proc/1/cmdline", "utf8")),
  Object.keys(servicePorts),
);
const [variable, port] = servicePorts[name ?? ""] ?? ["", undefined];
const { INTERNAL_HOST, HOST, [variable]: given } = process.env;

const fail = (why: string) => {
  process.stderr.write(`${why}\n`);
  process.exit(1);
};
// A command serves nothing, and is well while it runs.
if (port === undefined) process.exit(0);
get(
  {
    host: INTERNAL_HOST || HOST || "127.0.0.1",
    port: given || port,
    path: "/health/ready",
    timeout: answerMilliseconds,
  },
  (answer) => {
    answer.pipe(process.stdout);
    answer.once("end", () => process.exit(answer.statusCode === 200 ? 0 : 1));
  },
)
  .once("timeout", () => fail(`${name} does not answer`))
  .once("error", (error) => fail(`${name}: ${error.message}`));
