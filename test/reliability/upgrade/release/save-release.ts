import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { serviceNames } from "@latchkey/contracts";
import { startSmtpCatcher } from "@latchkey/testkit";
import { startPostgres } from "../../../documents/start-postgres.ts";
import { runLatchkey } from "../../../harness/run-latchkey.ts";
import { type Kept, live } from "../users.ts";
import {
  clearReleases,
  commandOf,
  compressInto,
  readVersion,
  type Release,
  releaseOf,
  saveCode,
  unpackRelease,
} from "./release-code.ts";
import { writeSystemEnvironment } from "./system-environment.ts";
import { chooseSystemPorts, createSystem, originOf } from "./run-system.ts";

const run = promisify(execFile);
const rowsBytesMax = 64 * 1024 * 1024;

/** Creates a database with the code of a release, and a user's data in it. */
const liveIn = async (system: string, folder: string, databaseUrl: string): Promise<Kept> => {
  const smtp = await startSmtpCatcher({});
  const ports = await chooseSystemPorts();
  const url = originOf(ports.gateway);
  const urls = { databaseUrl, smtpUrl: smtp.url, baseUrl: url };
  const environment = await writeSystemEnvironment(folder, urls);
  const running = createSystem({ system, ports, all: [ports], environment, drainSeconds: 0 });
  try {
    const migrated = await runLatchkey(["migrate"], {
      folder,
      environment,
      script: await commandOf(system),
    });
    if (migrated.code !== 0) throw new Error(`migrate: ${migrated.stderr}`);
    for (const service of serviceNames) await running.start(service);
    const keyUrl = originOf(ports.apikey);
    const { email, slug, key } = await live({ url, keyUrl, smtp, send: fetch }, "saved");
    for (const service of serviceNames.toReversed()) await running.end(service);
    return { email, slug, key };
  } finally {
    await running.close();
    await smtp.stop();
  }
};

/** Dumps as SQL statements that any client can run, without owners and roles, which belong to the server. */
const dump = async (tools: string, url: string): Promise<string> => {
  const { stdout } = await run(
    join(tools, "pg_dump"),
    ["--inserts", "--no-owner", "--no-acl", `--dbname=${url}`],
    { maxBuffer: rowsBytesMax },
  );
  return stdout;
};

/** Saves a commit as the previous release: its code, a database that it created, and the users in it. Deletes any other release. */
export const saveRelease = async (commit: string): Promise<Release & { bytes: number }> => {
  const release = releaseOf(await readVersion(commit));
  await clearReleases(release.version);
  await saveCode(commit, release.code);
  const system = await unpackRelease(release);
  const folder = await mkdtemp(join(tmpdir(), "latchkey-release-"));
  // Under root, the account of Postgres must be able to traverse the folder.
  await chmod(folder, 0o711);
  const postgres = await startPostgres(folder);
  try {
    const person = await liveIn(system, folder, postgres.urlOf("postgres"));
    const rows = await dump(postgres.tools, postgres.urlOf("postgres"));
    await compressInto(release.rows, Readable.from([rows]));
    await writeFile(
      join(dirname(release.rows), "people.json"),
      `${JSON.stringify(person, null, 2)}\n`,
    );
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  const sizes = await Promise.all([release.code, release.rows].map((path) => stat(path)));
  return { ...release, bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
};
