import { z } from "zod";
import { joinName } from "./join-name.ts";

const posted = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
});

/** Returns the name from the JSON that Apple posts once, for a new user. Returns undefined for anything else. */
export const readGivenName = (user: string | undefined): string | undefined => {
  if (user === undefined) return undefined;
  try {
    return joinName(posted.parse(JSON.parse(user)).name);
  } catch {
    return undefined;
  }
};
