import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

const cdn = "https://cdn.discordapp.com";

const user = z.looseObject({
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string().nullish(),
  global_name: z.string().nullish(),
  discriminator: z.string().nullish(),
  avatar: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
});

/** Returns the default picture of a user without an own one: by the id, or by the number at the end of older names. */
const defaultPicture = ({ id, discriminator }: z.output<typeof user>) => {
  const number = Number(discriminator ?? 0);
  return `${cdn}/embed/avatars/${number > 0 ? number % 5 : (BigInt(id) >> 22n) % 6n}.png`;
};

/** https://discord.com/developers/docs/topics/oauth2 */
export const discord = ({ permissions }: KnownProviderOptions<"discord">) =>
  defineProvider({
    name: "Discord",
    endpoints: {
      authorization: "https://discord.com/api/oauth2/authorize",
      token: "https://discord.com/api/oauth2/token",
      userInfo: "https://discord.com/api/users/@me",
      revoke: "https://discord.com/api/oauth2/token/revoke",
    },
    scopes: ["identify", "email"],
    requestedScopesFirst: true,
    pkce: false,
    prompt: "none",
    authorizationParameters: (scopes) => ({
      permissions: scopes.includes("bot") ? permissions?.toString() : undefined,
    }),
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: user,
    toUser: (profile) => {
      const { id, username, global_name: globalName, avatar, email, verified } = profile;
      const type = avatar?.startsWith("a_") ? "gif" : "png"; // marks an animated picture
      return {
        id,
        name: globalName || username,
        email,
        image: avatar ? `${cdn}/avatars/${id}/${avatar}.${type}` : defaultPicture(profile),
        emailVerified: verified === true,
      };
    },
  });
