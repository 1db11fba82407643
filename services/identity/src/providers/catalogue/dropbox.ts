import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://www.dropbox.com/developers/documentation/http/documentation */
export const dropbox = ({ accessType }: KnownProviderOptions<"dropbox">) =>
  defineProvider({
    name: "Dropbox",
    endpoints: {
      authorization: "https://www.dropbox.com/oauth2/authorize",
      token: "https://api.dropboxapi.com/oauth2/token",
      userInfo: "https://api.dropboxapi.com/2/users/get_current_account",
    },
    scopes: ["account_info.read"],
    pkce: true,
    authorizationParameters: { token_access_type: accessType },
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? "", { method: "POST" }),
    profile: z.looseObject({
      account_id: z.string(),
      name: z.looseObject({ display_name: z.string().nullish() }).nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      profile_photo_url: z.string().nullish(),
    }),
    toUser: (profile) => ({
      id: profile.account_id,
      name: profile.name?.display_name,
      email: profile.email,
      image: profile.profile_photo_url,
      emailVerified: profile.email_verified === true,
    }),
  });
