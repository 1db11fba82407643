import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../libs/testkit/src/free-port.ts";
import { until } from "../../../libs/testkit/src/until.ts";
import type { Row } from "../harness/row.ts";

const secondsMax = 2;
const startScript = fileURLToPath(new URL("../../../scripts/start.ts", import.meta.url));
const portVariables = [
  "PORT",
  "IDENTITY_PORT",
  "ORGANIZATION_PORT",
  "APIKEY_PORT",
  "MAILER_PORT",
  "GATEWAY_INTERNAL_PORT",
];
const firstStartMs = 120_000;

interface Started {
  seconds: number;
  /** Undefined where the system does not tell. */
  residentMegabytes: number | undefined;
}

const environmentOf = async (): Promise<NodeJS.ProcessEnv> => {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...inherited } = process.env;
  const ports = await Promise.all(
    portVariables.map(async (variable) => [variable, String(await freePort())] as const),
  );
  return { ...inherited, ...Object.fromEntries(ports) };
};

const residentMegabytes = async (pid: number | undefined): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
};

const answers = (url: string) => fetch(url).then(({ ok }) => ok);

const startOnce = async (directory: string): Promise<Started> => {
  const env = await environmentOf();
  const begun = performance.now();
  const child = spawn(process.execPath, [startScript], {
    cwd: directory,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    await Promise.race([
      until(() => answers(`http://127.0.0.1:${env["PORT"]}/api/auth/ok`), {
        timeoutMs: firstStartMs,
        intervalMs: 5,
        describe: "the first answer",
      }),
      ended.then(([code]) => {
        throw new Error(`npm start ended with ${String(code)}`);
      }),
    ]);
    const seconds = (performance.now() - begun) / 1000;
    return { seconds, residentMegabytes: await residentMegabytes(child.pid) };
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
};

const inTemporaryFolder = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), "latchkey-start-"));
  await chmod(directory, 0o711); // under root, Postgres' own account has to pass through
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** From `npm start` to the first answer on an embedded Postgres that a start before has made. */
export const npmStart: Row = {
  name: "npm-start",
  measure: (bench) =>
    inTemporaryFolder(async (directory) => {
      const first = await startOnce(directory);
      const second = await startOnce(directory);
      const megabytes = second.residentMegabytes?.toFixed(0) ?? "?";
      bench.say(`  first start ${first.seconds.toFixed(2)} s; resident ${megabytes} MB`);
      return [
        {
          path: "npm start to first answer",
          ours: `${second.seconds.toFixed(2)} s, ${megabytes} MB`,
          floor: `${first.seconds.toFixed(2)} s the first time`,
          ratio: "",
          budget: `<= ${secondsMax} s`,
          met: second.seconds <= secondsMax,
        },
      ];
    }),
};
