import { makeSecrets } from "./make-secrets.ts";

const usage = `Usage: make-secrets <folder> <host:port/database of Postgres> <host:port of Redis>

Makes the secrets of an installation in a folder, once, and a folder of files in it for each container that reads some.
`;

/** Gives the exit code. */
export const makeSecretsCommand = async (args: readonly string[]): Promise<number> => {
  const [directory, postgres, redis, ...surplus] = args;
  if (!directory || !postgres || !redis || surplus.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  await makeSecrets({ directory, postgres, redis });
  process.stdout.write(`the secrets are in ${directory}\n`);
  return 0;
};
