import * as z from "zod/mini";
import { searchParam } from "../../components/search-param.ts";
import { isPlace } from "../../routes/place-of.ts";

export const signInSearch = z.object({
  /** Why this page is shown instead of the requested one. */
  reason: searchParam(z.enum(["ended", "demoted", "signed-out"])),
  /** The target after sign-in: a path of the admin web, never another site. */
  redirect: searchParam(z.string().check(z.maxLength(2048), z.refine(isPlace))),
});
