import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://developer.spotify.com/documentation/web-api/tutorials/code-pkce-flow */
export const spotify = () =>
  defineProvider({
    name: "Spotify",
    endpoints: {
      authorization: "https://accounts.spotify.com/authorize",
      token: "https://accounts.spotify.com/api/token",
      userInfo: "https://api.spotify.com/v1/me",
    },
    scopes: ["user-read-email"],
    pkce: true,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      id: z.string(),
      display_name: z.string().nullish(),
      email: z.string().nullish(),
      images: z.array(z.looseObject({ url: z.string().nullish() })).nullish(),
    }),
    toUser: ({ id, display_name: name, email, images }) => ({
      id,
      name,
      email,
      image: images?.[0]?.url,
      emailVerified: false, // Spotify does not verify addresses
    }),
  });
