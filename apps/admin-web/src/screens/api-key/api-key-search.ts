import * as z from "zod/mini";
import { searchParam } from "../../components/search-param.ts";
import { isDay } from "@latchkey/ui/components/day-range.ts";

const day = searchParam(z.string().check(z.refine(isDay)));

export const apiKeySearch = z.object({
  tab: searchParam(z.enum(["usage", "json"])),
  /** The days whose usage is shown, both inclusive. */
  from: day,
  to: day,
});
