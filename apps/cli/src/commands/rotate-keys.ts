import { operatorActor, rotateSigningKeys } from "@latchkey/identity/commands";
import { rotateSigningKeys as rotateProviderKeys } from "@latchkey/oauth/commands";
import type { Settings } from "@latchkey/service-kit/config";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";
import { Refusal } from "../terminal/refusal.ts";
import { withSchemas } from "./with-installation.ts";

/** Formats a time in UTC, to the minute. */
const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const rotateTokenKeys = async (settings: Settings): Promise<string> => {
  const { kid, signsAt, older, publishedUntil } = await rotateSigningKeys(settings);
  const [previous] = older;
  return previous
    ? `New signing key ${kid}: published now, signs from ${minute(signsAt)} on.\n` +
        `The one before it, ${previous}, stays published until ${minute(publishedUntil)}.\n`
    : `New signing key ${kid}: the first one, so it signs immediately.\n`;
};

const rotateOauthKeys = async (settings: Settings): Promise<string> => {
  const signsAt = await rotateProviderKeys(settings, { actor: operatorActor });
  return `New keys of the OAuth provider: published now, sign from ${minute(signsAt)} on.\n`;
};

/** Creates a new key for signing tokens. */
export const rotateKeysCommand: Command = {
  usage: `Usage: npx latchkey rotate-keys

Creates a new signing key for tokens, and new keys of the OAuth provider if that is on. Running services publish it within a minute. It signs a little later, so that verifiers
have loaded it by then. Previous keys stay published for jwt.jwks.gracePeriod, so that their tokens still verify.
`,
  run: async (args) => {
    readOptions(args, {});
    const lines = await withSchemas(["identity", "oauth"], async ({ settings }) => {
      const { jwt, oauthProvider } = settings.options;
      if (!jwt.enabled && !oauthProvider.enabled)
        throw new Refusal("jwt.enabled is off, so there is no signing key to rotate.");
      return [
        jwt.enabled ? await rotateTokenKeys(settings) : "",
        oauthProvider.enabled ? await rotateOauthKeys(settings) : "",
      ];
    });
    process.stdout.write(lines.join(""));
    return 0;
  },
};
