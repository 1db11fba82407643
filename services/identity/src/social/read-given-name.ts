import { z } from "zod";
import { joinName } from "./join-name.ts";

const posted = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
});

/** The name in what Apple posts of somebody new, once; undefined for anything that is no such JSON. */
export const readGivenName = (user: string | undefined): string | undefined => {
  if (user === undefined) return undefined;
  try {
    return joinName(posted.parse(JSON.parse(user)).name);
  } catch {
    return undefined;
  }
};
