import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/** The superuser's password, kept in `<directory>.password` (mode 0600) and made on first use. */
export async function embeddedPostgresPassword(
  directory: string,
  alreadyInitialised: boolean,
): Promise<string> {
  const file = `${directory}.password`;
  const kept = await readFile(file, "utf8").catch(ignoreMissing);
  if (kept) return kept;
  if (alreadyInitialised)
    throw new Error(
      `The password file ${file} of the data in ${directory} is missing. Restore it, or move the directory away to begin anew.`,
    );
  const password = randomBytes(24).toString("base64url");
  await writeFile(file, password, { mode: 0o600 });
  return password;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
