import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { findService, healthPort, servicePorts } from "./service-ports.ts";

// The image's HEALTHCHECK: exits with 0 if the running service accepts requests. It loads few modules, because it runs every few seconds.

const answerMilliseconds = 10_000;

/** The service named by the argument, or that of the container's first process. */
const name = findService(
  process.argv[2] ?? (await readFile("/proc/1/cmdline", "utf8")),
  Object.keys(servicePorts),
);
const entry = servicePorts[name ?? ""];
const { INTERNAL_HOST, HOST } = process.env;

const fail = (why: string) => {
  process.stderr.write(`${why}\n`);
  process.exit(1);
};
// A command has no health port, and counts as healthy while it runs.
if (entry === undefined) process.exit(0);
get(
  {
    host: INTERNAL_HOST || HOST || "127.0.0.1",
    port: healthPort(entry, process.env),
    path: "/health/serving",
    timeout: answerMilliseconds,
  },
  (answer) => {
    answer.pipe(process.stdout);
    answer.once("end", () => process.exit(answer.statusCode === 200 ? 0 : 1));
  },
)
  .once("timeout", () => fail(`${name} does not answer`))
  .once("error", (error) => fail(`${name}: ${error.message}`));
