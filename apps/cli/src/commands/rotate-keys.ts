import { rotateSigningKeys } from "@latchkey/identity/commands";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "../terminal/refusal.ts";
import { withIdentity } from "./with-installation.ts";

/** Formats a time in UTC, to the minute. */
const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Creates a new key for signing tokens. */
export const rotateKeysCommand: Command = {
  usage: `Usage: npx latchkey rotate-keys

Creates a new signing key for tokens. Running services publish it within a minute. It signs a little later, so that verifiers
have loaded it by then. Previous keys stay published for jwt.jwks.gracePeriod, so that their tokens still verify.
`,
  run: async (args) => {
    readOptions(args, {});
    const { kid, signsAt, older, publishedUntil } = await withIdentity(({ settings }) => {
      if (!settings.options.jwt.enabled)
        throw new Refusal("jwt.enabled is off, so there is no signing key to rotate.");
      return rotateSigningKeys(settings);
    });
    const [previous] = older;
    process.stdout.write(
      previous
        ? `New signing key ${kid}: published now, signs from ${minute(signsAt)} on.\n` +
            `The one before it, ${previous}, stays published until ${minute(publishedUntil)}.\n`
        : `New signing key ${kid}: the first one, so it signs immediately.\n`,
    );
    return 0;
  },
};
