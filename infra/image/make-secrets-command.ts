import { makeSecrets } from "./make-secrets.ts";

const usage = `Usage: make-secrets <folder> <host:port/database of Postgres> <host:port of Redis> <host:port of SMTP> <your folder>

Creates the secrets of an installation in a folder, once, and in it a folder for each container with the secrets that it uses.
Your folder may hold smtp-url, service-tokens, social-providers and captcha-secret-key.
`;

/** Returns the exit code. */
export const makeSecretsCommand = async (args: readonly string[]): Promise<number> => {
  const [directory, postgres, redis, smtp, ownDirectory, ...surplus] = args;
  if (!directory || !postgres || !redis || !smtp || !ownDirectory || surplus.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  await makeSecrets({ directory, postgres, redis, smtp, given: ownDirectory });
  process.stdout.write(`the secrets are in ${directory}\n`);
  return 0;
};
