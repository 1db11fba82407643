import { z } from "zod";
import { defineProvider } from "../provider.ts";

/** https://docs.railway.com/integrations/oauth */
export const railway = () =>
  defineProvider({
    name: "Railway",
    endpoints: {
      authorization: "https://backboard.railway.com/oauth/auth",
      token: "https://backboard.railway.com/oauth/token",
      userInfo: "https://backboard.railway.com/oauth/me",
    },
    clientAuthentication: "basic",
    scopes: ["openid", "email", "profile"],
    pkce: true,
    readProfile: ({ endpoints, ask }) => ask(endpoints.userInfo ?? ""),
    profile: z.looseObject({
      sub: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      picture: z.string().nullish(),
    }),
    toUser: ({ sub: id, name, email, picture: image }) => ({
      id,
      name,
      email,
      image,
      emailVerified: false,
    }),
  });
