import { z } from "zod";
import { placeholderEmail } from "../../users/email.ts";
import { defineProvider } from "../provider.ts";
import type { ProviderCall } from "../provider-call.ts";

const readProfile = ({ endpoints, ask }: ProviderCall) => {
  const url = new URL(endpoints.userInfo ?? "");
  url.searchParams.set("fields", "open_id,avatar_large_url,display_name,username");
  return ask(url.href);
};

/** https://developers.tiktok.com/doc/login-kit-web */
export const tiktok = () =>
  defineProvider({
    name: "TikTok",
    endpoints: {
      authorization: "https://www.tiktok.com/v2/auth/authorize",
      token: "https://open.tiktokapis.com/v2/oauth/token/",
      userInfo: "https://open.tiktokapis.com/v2/user/info/",
    },
    clientNames: { id: "client_key", secret: "client_secret" },
    scopes: ["user.info.profile"],
    scopeSeparator: ",",
    pkce: false,
    tidyAnswer: ({ refresh_expires_in: seconds, ...answer }) => ({
      ...answer,
      refresh_token_expires_in: seconds,
    }),
    readProfile,
    profile: z.looseObject({
      data: z.looseObject({
        user: z.looseObject({
          open_id: z.string(),
          display_name: z.string().nullish(),
          username: z.string().nullish(),
          email: z.string().nullish(),
          avatar_large_url: z.string().nullish(),
        }),
      }),
    }),
    toUser: ({ data: { user } }) => ({
      id: user.open_id,
      name: user.display_name || user.username,
      email: user.email || placeholderEmail("tiktok", user.open_id),
      image: user.avatar_large_url,
      emailVerified: false,
    }),
  });
