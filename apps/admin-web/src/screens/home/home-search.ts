import { z } from "zod";
import { isDay } from "../../components/ui/day-range.ts";

const day = z.string().refine(isDay).optional().catch(undefined);

/** The days that the numbers are about; the last 30 where nothing is said. */
export const homeSearch = z.object({ from: day, to: day });
