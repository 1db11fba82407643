import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "./at-exit.ts";
import { freePort } from "@latchkey/embedded-postgres";
import { endServer, launchServer } from "./launch-server.ts";

export type PgBouncer = {
  /** Leads to the database that it was started with. */
  url: string;
  stop(): Promise<void>;
};

const startAttempts = 3;

/** Before 1.21 PgBouncer prepares nothing again, and refuses the setting. */
const prepares = (): boolean => {
  const printed = execFileSync("pgbouncer", ["--version"], { encoding: "utf8" });
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(printed)?.map(Number) ?? [];
  return major > 1 || minor >= 21;
};

type Before = {
  server: URL;
  queryWaitSeconds: number;
  preparedStatementsMax: number | undefined;
};

/** `auth_user` may look up the other users, so that every user of the server can sign in. */
const settings = (
  { server, queryWaitSeconds, preparedStatementsMax }: Before,
  port: number,
  userFile: string,
): string => {
  const { hostname, port: serverPort, username } = server;
  const who = decodeURIComponent(username);
  return `[databases]
* = host=${hostname} port=${serverPort || "5432"} auth_user=${who}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
auth_type = md5
auth_file = ${userFile}
max_client_conn = 2000
default_pool_size = 20
server_idle_timeout = 5
server_login_retry = 1
query_wait_timeout = ${queryWaitSeconds}
${preparedStatementsMax === undefined || !prepares() ? "" : `max_prepared_statements = ${preparedStatementsMax}`}
log_connections = 0
log_disconnections = 0
log_pooler_errors = 0
${process.getuid?.() === 0 ? "user = nobody" : ""}
`;
};

/**
 * Starts PgBouncer from PATH in front of a Postgres, in transaction mode, for all of its databases. It ends with this process.
 * @param input.databaseUrl any database of the server, as a superuser with a password
 * @param input.queryWaitSeconds how long a query waits for a connection to the server
 * @param input.preparedStatementsMax how many statements it prepares again on other connections, by default as its version does
 */
export async function startPgBouncer(input: {
  databaseUrl: string;
  queryWaitSeconds?: number;
  preparedStatementsMax?: number;
}): Promise<PgBouncer> {
  const { databaseUrl, queryWaitSeconds = 10, preparedStatementsMax } = input;
  const before = { server: new URL(databaseUrl), queryWaitSeconds, preparedStatementsMax };
  const folder = await mkdtemp(join(tmpdir(), "latchkey-pgbouncer-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const started = await launch(before, folder).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const keep = atExit(() => rmSync(folder, { recursive: true, force: true }));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${started.port}`;
  return {
    url: url.href,
    async stop() {
      await endServer(started.child, "SIGTERM");
      keep();
      await remove();
    },
  };
}

/** Returns the URL of another database of the server through a pooler. */
export function throughPooler(poolerUrl: string, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.host = new URL(poolerUrl).host;
  return url.href;
}

const quoted = (text: string) => `"${decodeURIComponent(text).replaceAll('"', '""')}"`;

/** As root, another account must be able to read the files. Another process may take the port before PgBouncer uses it. */
async function launch(before: Before, folder: string, attempt = 1) {
  const { server } = before;
  const port = await freePort();
  const [file, userFile] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
  await writeFile(userFile, `${quoted(server.username)} ${quoted(server.password)}\n`);
  await writeFile(file, settings(before, port, userFile));
  await chmod(folder, 0o755);
  try {
    const child = await launchServer({
      command: "pgbouncer",
      args: [file],
      log: "stderr",
      readyText: "process up",
      advice:
        "install PgBouncer (Debian: apt-get install pgbouncer; macOS: brew install pgbouncer)",
    });
    return { port, child };
  } catch (error) {
    if (attempt === startAttempts || !String(error).includes("in use")) throw error;
    return launch(before, folder, attempt + 1);
  }
}
