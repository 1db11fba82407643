import { z } from "zod";
import { isDay } from "@latchkey/ui/components/day-range.ts";

const day = z.string().refine(isDay).optional().catch(undefined);

export const apiKeySearch = z.object({
  tab: z.enum(["usage", "json"]).optional().catch(undefined),
  /** The days whose usage is shown, both inclusive. */
  from: day,
  to: day,
});
