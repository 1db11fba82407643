import type { KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://developers.zoom.us/docs/integrations/oauth */
export const zoom = ({ pkce }: KnownProviderOptions<"zoom">) =>
  defineProvider({
    name: "Zoom",
    endpoints: {
      authorization: "https://zoom.us/oauth/authorize",
      token: "https://zoom.us/oauth/token",
      userInfo: "https://api.zoom.us/v2/users/me",
      revoke: "https://zoom.us/oauth/revoke",
    },
    scopes: [],
    pkce,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      id: z.string(),
      display_name: z.string().nullish(),
      email: z.string().nullish(),
      pic_url: z.string().nullish(),
      verified: z.union([z.number(), z.boolean()]).nullish(),
    }),
    toUser: (profile) => ({
      id: profile.id,
      name: profile.display_name,
      email: profile.email,
      image: profile.pic_url,
      emailVerified: Boolean(profile.verified),
    }),
  });
