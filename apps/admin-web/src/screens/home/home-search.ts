import { z } from "zod";
import { isDay } from "@latchkey/ui/components/day-range.ts";

const day = z.string().refine(isDay).optional().catch(undefined);

/** The period of the metrics, by default the last 30 days. */
export const homeSearch = z.object({ from: day, to: day });
