import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://developers.figma.com/docs/rest-api/authentication/ */
export const figma = () =>
  defineProvider({
    name: "Figma",
    endpoints: {
      authorization: "https://www.figma.com/oauth",
      token: "https://api.figma.com/v1/oauth/token",
      refresh: "https://api.figma.com/v1/oauth/refresh", // returns only an access token; the refresh token stays valid
      userInfo: "https://api.figma.com/v1/me",
    },
    clientAuthentication: "basic",
    scopes: ["current_user:read"],
    pkce: true,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      id: z.string(),
      handle: z.string().nullish(),
      email: z.string().nullish(),
      img_url: z.string().nullish(),
    }),
    toUser: ({ id, handle, email, img_url: image }) => ({
      id,
      name: handle,
      email,
      image,
      emailVerified: false,
    }),
  });
