import { z } from "zod";
import { defineProvider } from "../provider.ts";
import type { ProviderCall } from "../provider-call.ts";

/** The list contains only the user of the token. */
const readProfile = async ({ endpoints, ask }: ProviderCall): Promise<unknown> => {
  const { data } = (await ask(endpoints.userInfo ?? "")) ?? {};
  return Array.isArray(data) ? data[0] : undefined;
};

/** https://docs.kick.com/getting-started/generating-tokens-oauth2-flow */
export const kick = () =>
  defineProvider({
    name: "Kick",
    endpoints: {
      authorization: "https://id.kick.com/oauth/authorize",
      token: "https://id.kick.com/oauth/token",
      userInfo: "https://api.kick.com/public/v1/users",
    },
    scopes: ["user:read"],
    pkce: true,
    readProfile,
    profile: z.looseObject({
      user_id: z.union([z.int(), z.string()]),
      name: z.string().nullish(),
      email: z.string().nullish(),
      profile_picture: z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: String(profile.user_id),
      name: profile.name,
      email: profile.email,
      image: profile.profile_picture,
      emailVerified: false, // Kick makes no statement about that
    }),
  });
