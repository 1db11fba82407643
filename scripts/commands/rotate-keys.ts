import { rotateSigningKeys } from "@latchkey/identity/commands";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "./refusal.ts";
import { withIdentity } from "./with-installation.ts";

/** A moment in UTC, to the minute. */
const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Makes a new key that tokens are signed with. */
export const rotateKeysCommand: Command = {
  usage: `Usage: npx latchkey rotate-keys

Makes a new key that tokens are signed with. Running services publish it within a minute; it signs a little later, so that
verifiers know it by then. Keys before it stay published for jwt.jwks.gracePeriod, so that what they signed is verified.
`,
  run: async (args) => {
    readOptions(args, {});
    const { kid, signsAt, older, publishedUntil } = await withIdentity(({ settings }) => {
      if (!settings.options.jwt.enabled)
        throw new Refusal("jwt.enabled is off, so nothing is signed. There is no key to rotate.");
      return rotateSigningKeys(settings);
    });
    const [previous] = older;
    process.stdout.write(
      previous
        ? `New signing key ${kid}: published now, signs from ${minute(signsAt)} on.\n` +
            `The one before it, ${previous}, stays published until ${minute(publishedUntil)}.\n`
        : `New signing key ${kid}: the first one, so it signs at once.\n`,
    );
    return 0;
  },
};
