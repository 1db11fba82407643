import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgresTools, freePort, localhostCertificate } from "@latchkey/testkit";

const run = promisify(execFile);

/** Postgres refuses to run as root, so it then uses its own account. */
const findAccount = async (): Promise<{ uid?: number; gid?: number }> => {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, "postgres"])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
};

/** A Postgres with its command-line tools, which the embedded one lacks. */
export interface ToolPostgres {
  /** Returns the address of a database for a superuser. Like that of a hosted one, it requires TLS and names a file in its query. */
  urlOf(database: string): string;
  /** The folder of `pg_dump` and the other tools. */
  tools: string;
  stop(): Promise<void>;
}

/** Starts Postgres with its data in a folder that other accounts may traverse. It ends with this process. */
export const startPostgres = async (folder: string): Promise<ToolPostgres> => {
  const tools = await findPostgresTools();
  if (tools === undefined)
    throw new Error("The tools of Postgres are missing: install `postgresql`, with pg_dump.");
  const account = await findAccount();
  const data = join(folder, "postgres");
  await mkdir(data, { mode: 0o700 });
  const [authority, key] = [join(folder, "ca.pem"), join(folder, "key.pem")];
  await writeFile(authority, localhostCertificate.cert);
  await writeFile(key, localhostCertificate.key, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined)
    for (const path of [data, key]) await chown(path, account.uid, account.gid);
  const call = (program: string, args: string[]) =>
    run(join(tools, program), args, { ...account, cwd: data, env: { LC_ALL: "C" } });
  const flags = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"];
  await call("initdb", [`--pgdata=${data}`, ...flags]);
  const port = await freePort();
  const tls = `-c ssl=on -c ssl_cert_file=${authority} -c ssl_key_file=${key}`;
  const settings = `-p ${port} -k "" -c listen_addresses=127.0.0.1 -c fsync=off ${tls}`;
  await call("pg_ctl", ["-D", data, "-w", "-o", settings, "-l", join(data, "log"), "start"]);
  const pid = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  const endWithUs = () => process.kill(pid, "SIGQUIT");
  process.on("exit", endWithUs);
  return {
    urlOf: (database) =>
      `postgres://postgres@localhost:${port}/${database}?sslmode=verify-full&sslrootcert=${authority}`,
    tools,
    stop: async () => {
      process.off("exit", endWithUs);
      await call("pg_ctl", ["-D", data, "-w", "-m", "immediate", "stop"]);
    },
  };
};
