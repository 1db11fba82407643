import { z } from "zod";

/** The claims of OpenID Connect Core 5.1 that describe a user. */
export const standardProfile = z.looseObject({
  sub: z.string(),
  name: z.string().nullish(),
  preferred_username: z.string().nullish(),
  email: z.string().nullish(),
  email_verified: z.boolean().nullish(),
  picture: z.string().nullish(),
});

/** Returns the user that these claims describe. */
export const standardUser = (profile: z.output<typeof standardProfile>) => ({
  id: profile.sub,
  name: profile.name || profile.preferred_username,
  email: profile.email,
  image: profile.picture,
  emailVerified: profile.email_verified === true,
});
