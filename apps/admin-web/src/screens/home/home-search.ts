import * as z from "zod/mini";
import { searchParam } from "../../components/search-param.ts";
import { isDay } from "@latchkey/ui/components/day-range.ts";

const day = searchParam(z.string().check(z.refine(isDay)));

/** The period of the metrics, by default the last 30 days. */
export const homeSearch = z.object({ from: day, to: day });
