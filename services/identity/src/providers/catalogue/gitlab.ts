import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://docs.gitlab.com/api/oauth2/ */
export const gitlab = (options: KnownProviderOptions<"gitlab">) => {
  const issuer = options.issuer.replace(/\/+$/, "");
  return defineProvider({
    name: "Gitlab",
    issuer,
    endpoints: {
      authorization: `${issuer}/oauth/authorize`,
      token: `${issuer}/oauth/token`,
      userInfo: `${issuer}/api/v4/user`,
      jwks: `${issuer}/oauth/discovery/keys`,
      revoke: `${issuer}/oauth/revoke`,
    },
    scopes: ["read_user"],
    pkce: true,
    nonce: true,
    loginHint: true,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      id: z.union([z.int(), z.string()]),
      state: z.string(),
      locked: z.boolean().nullish(),
      username: z.string().nullish(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      avatar_url: z.string().nullish(),
    }),
    toUser: ({ id, state, locked, username, name, email, ...profile }) =>
      state === "active" && locked !== true
        ? {
            id: String(id),
            name: name || username,
            email,
            image: profile.avatar_url,
            emailVerified: profile.email_verified === true,
          }
        : undefined, // blocked or left
  });
};
