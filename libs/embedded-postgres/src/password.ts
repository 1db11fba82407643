import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/** Returns the superuser's password, stored in `<directory>.password` (mode 0600) and created at first use. */
export async function embeddedPostgresPassword(
  directory: string,
  alreadyInitialised: boolean,
): Promise<string> {
  const file = `${directory}.password`;
  const saved = await readFile(file, "utf8").catch(ignoreMissing);
  if (saved) return saved;
  if (alreadyInitialised)
    throw new Error(
      `The password file ${file} of the data in ${directory} is missing. Restore it, or move the directory away to start with an empty database.`,
    );
  const password = randomBytes(24).toString("base64url");
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** Returns the address of an embedded server, with the superuser's password. */
export const embeddedPostgresUrl = (password: string, port: number): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
