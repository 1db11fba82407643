import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** User and group ids for Postgres. Empty means the ids of this process. */
export type PostgresAccount = { uid?: number; gid?: number };

/**
 * Returns the account for Postgres, which refuses to run as root. Under root, this is the owner of the existing data directory,
 * else the system account `postgres`, which is created if missing.
 */
export async function embeddedPostgresAccount(
  directory: string,
  alreadyInitialised: boolean,
): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return {};
  if (alreadyInitialised) {
    const { uid, gid } = await stat(directory);
    if (uid !== 0) return { uid, gid };
    throw new Error(
      `The data directory ${directory} belongs to root, and Postgres refuses to run as root. Run: chown -R postgres: "${directory}"`,
    );
  }
  return (await findAccount()) ?? (await createAccount());
}

async function findAccount(): Promise<PostgresAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([
      run("id", ["-u", "postgres"]),
      run("id", ["-g", "postgres"]),
    ]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createAccount(): Promise<PostgresAccount> {
  try {
    await run("useradd", [
      "--system",
      "--user-group",
      "--no-create-home",
      "--shell",
      "/usr/sbin/nologin",
      "postgres",
    ]);
  } catch (cause) {
    throw new Error(
      "Postgres refuses to run as root, and the account `postgres` could not be created. Create it, run as an ordinary user, or set DATABASE_URL.",
      { cause },
    );
  }
  const account = await findAccount();
  if (account === undefined)
    throw new Error(
      "The account `postgres` was created but cannot be found. Run as an ordinary user, or set DATABASE_URL.",
    );
  return account;
}
